// The page in a browser: it draws, its sliders move the mesh, a contact can be selected in list and view, and read.
//
// The scene is that of tests/apps/support.py: a small triangle (vertices 3, 4, 5) passes through a large one (0, 1,
// 2) at t = 1/2, which makes three vertex-face contacts; in a second step it continues and nothing touches.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { launchBrowser } from "./browser.mjs";
import { decodePng } from "./png.mjs";

const browser = await launchBrowser();
if (!browser) process.exit(77);

const folder = mkdtempSync(join(tmpdir(), "graze-page-"));
const hostile = "a<!--<script>.obj"; // a name that would end the page if not escaped

function writeFrame(name, height, triangles = "f 1 2 3\nf 4 5 6\n") {
  const vertices = [[-10, -10, 0], [10, -10, 0], [0, 10, 0], [-4, -4, height], [4, -4, height], [0, 4, height]];
  writeFileSync(join(folder, name), vertices.map((v) => `v ${v.join(" ")}\n`).join("") + triangles);
}

/** The first step as a capture that the program wrote, with a last vertex id and a last coordinate as asked. */
function captureBytes(lastId = 5, lastZ = -2) {
  run("capture", "frame0.obj", "frame1.obj", "-o", "step.graze");
  const bytes = readFileSync(join(folder, "step.graze"));
  const ids = 88 + 20; // header and one body (src/io/capture.hpp); then 6 ids, and positions up to the checksum
  assert.equal(bytes.readUInt32LE(ids + 5 * 4), 5);
  bytes.writeUInt32LE(lastId, ids + 5 * 4);
  assert.equal(bytes.readDoubleLE(bytes.length - 16), -2);
  bytes.writeDoubleLE(lastZ, bytes.length - 16);
  return bytes;
}

function run(...options) {
  try {
    execFileSync(process.env.GRAZE, options, { cwd: folder, stdio: "pipe" });
  } catch (error) {
    if (error.status !== 1) throw error; // 1: contact found
  }
}

function detect(...options) {
  run("detect", ...options);
}

/** Opens a page and notes everything that should not happen. */
async function open(file, options = {}) {
  const page = await browser.newPage({ viewport: { width: 880, height: 560 }, reducedMotion: "reduce", ...options });
  page.wrong = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") page.wrong.push(message.text());
  });
  page.on("pageerror", (error) => page.wrong.push(error.message));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) page.wrong.push(`asked for ${request.url()}`);
  });
  await page.goto(`file://${join(folder, file)}`);
  return page;
}

/** The pixels of the view alone, without the controls over it. */
async function pixels(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const clip = await page.locator("#canvas").boundingBox();
  return decodePng(await page.screenshot({ clip, style: ".tools, .dock { visibility: hidden }" }));
}

function changedPixels(a, b) {
  let changed = 0;
  for (let i = 0; i < a.rgba.length; i += 4) {
    const difference = [0, 1, 2].reduce((sum, k) => sum + Math.abs(a.rgba[i + k] - b.rgba[i + k]), 0);
    if (difference > 24) ++changed;
  }
  return changed;
}

async function setSlider(page, id, value) {
  await page.locator(id).evaluate((slider, to) => {
    slider.value = String(to);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }, value);
}

let page; // shared by tests that need no page of their own: a page takes a second to open

async function startOver() {
  await page.keyboard.press("Escape");
  await setSlider(page, "#step-slider", 0);
  await setSlider(page, "#time-slider", 1);
  await page.click("#colour-by [value=time]");
  await page.click("#fit");
}

before(async () => {
  [2, -2, -6].forEach((height, i) => writeFrame(`frame${i}.obj`, height));
  writeFrame(hostile, 2);
  detect("--frames", "frame*.obj", "--report", "run.html");
  detect(hostile, "frame1.obj", "--report", "hostile.html");
  page = await open("run.html");
  ["f 1 2 3\nf 4 5 6\n", "f 1 2 3\nf 4 5 6\n", "f 4 5 6\n"].forEach((list, i) => writeFrame(`gone${i}.obj`, 2, list));
  detect("--frames", "gone*.obj", "--report", "gone.html");
});

after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

describe("the report's page", () => {
  test("draws the mesh, and its sliders move it", async () => {
    await startOver();
    await setSlider(page, "#step-slider", 1); // the step without contacts: only the mesh moves
    await setSlider(page, "#time-slider", 0);
    const start = await pixels(page);
    await page.evaluate(() => (document.getElementById("canvas").style.opacity = 0));
    const blank = await pixels(page);
    await page.evaluate(() => (document.getElementById("canvas").style.opacity = 1));
    const area = start.width * start.height;
    assert.ok(changedPixels(start, blank) > 0.05 * area, "the view is blank");
    await setSlider(page, "#time-slider", 1);
    const end = await pixels(page);
    assert.ok(changedPixels(start, end) > 0.01 * area, "the time slider does not move the mesh");
    assert.equal(await page.textContent("#time-text"), "1.000");
    await setSlider(page, "#step-slider", 0);
    assert.ok(changedPixels(end, await pixels(page)) > 0.01 * area, "the step slider does not move the mesh");
    assert.equal(await page.textContent("#step-text"), "0 of 1");
    assert.deepEqual(page.wrong, []);
  });

  test("shows each step with its own triangles, edges too", async () => {
    const changing = await open("gone.html");
    await setSlider(changing, "#step-slider", 0);
    const both = await pixels(changing);
    await setSlider(changing, "#step-slider", 1); // nothing moves: the large triangle is gone
    const one = await pixels(changing);
    assert.ok(changedPixels(both, one) > 0.05 * both.width * both.height, "the triangles of the step before are shown");
    await setSlider(changing, "#step-slider", 0);
    assert.equal(changedPixels(both, await pixels(changing)), 0);
    assert.deepEqual(changing.wrong, []);
    await changing.close();
  });

  test("shows a contact chosen in the list: features, ids, interval, normal", async () => {
    await startOver();
    assert.equal(await page.locator("[data-impact]").count(), 3);
    await page.locator("[data-impact='1']").click();
    const facts = await page.textContent("#selected-facts");
    assert.equal(await page.textContent("#selected-title"), "Vertex–face");
    assert.match(facts, /vertex 4/);
    assert.match(facts, /face 0 1 2/);
    const [, low, high] = facts.match(/time of impact([\d.]+)(?:exactly|at the latest ([\d.]+))/);
    assert.ok(Number(low) <= 0.5 && Number(high ?? low) >= 0.5 && Number(high ?? low) - Number(low) <= 1e-6, facts);
    assert.match(facts, /normal-?0, -?0, 1from b/);
    assert.ok(Math.abs(Number(await page.inputValue("#time-slider")) - 0.5) < 0.01, "time goes to the impact");
    await page.keyboard.press("Escape");
    assert.ok(await page.isHidden("#selected"));
    assert.deepEqual(page.wrong, []);
  });

  test("selects the contact that is clicked in the view", async () => {
    await startOver();
    await page.click("#colour-by [value=kind]");
    await setSlider(page, "#time-slider", 0.501); // touching, and not yet behind the large triangle
    const view = await pixels(page);
    let at = null;
    for (let i = 0; i < view.rgba.length && !at; i += 4) {
      const [r, g, b] = view.rgba.slice(i, i + 3);
      if (Math.abs(r - 0xcf) + Math.abs(g - 0x4a) + Math.abs(b - 0x06) < 12) at = [(i / 4) % view.width, Math.floor(i / 4 / view.width)];
    }
    assert.ok(at, "no disc of a vertex-face contact is seen");
    await page.locator("#canvas").click({ position: { x: at[0], y: at[1] } });
    assert.ok(await page.isVisible("#selected"));
    assert.match(await page.textContent("#selected-facts"), /vertex [345]/);
    assert.equal(await page.locator("[data-impact][aria-selected=true]").count(), 1);
    await page.locator("#selected-close").click();
    await page.locator("#canvas").click({ position: { x: 5, y: 200 } });
    assert.ok(await page.isHidden("#selected"), "a click beside every contact selects none");
    assert.deepEqual(page.wrong, []);
  });

  test("works by keyboard: play, steps, contacts, colours, edges", async () => {
    await startOver();
    const shown = () => page.textContent("#step-text");
    await page.keyboard.press("ArrowRight");
    assert.equal(await shown(), "1 of 1");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await shown(), "0 of 1");
    await page.keyboard.press("n");
    await page.keyboard.press("n");
    assert.equal(await page.locator("[aria-selected=true]").getAttribute("data-impact"), "1");
    await page.keyboard.press("p");
    assert.equal(await page.locator("[aria-selected=true]").getAttribute("data-impact"), "0");
    await page.keyboard.press("c");
    assert.equal(await page.getAttribute("#colour-by [value=body]", "aria-pressed"), "true");
    await page.keyboard.press("e");
    assert.equal(await page.getAttribute("#edges", "aria-pressed"), "false");
    await setSlider(page, "#time-slider", 0);
    await page.locator("#canvas").focus();
    await page.keyboard.press("Space");
    await page.waitForFunction(() => Number(document.getElementById("time-slider").value) > 0.05);
    assert.equal(await page.getAttribute("#play", "aria-label"), "Pause");
    await page.keyboard.press("Space");
    assert.equal(await page.getAttribute("#play", "aria-label"), "Play");
    assert.deepEqual(page.wrong, []);
  });

  test("draws the funnel of a step and of all, and a chosen stage step by step", async () => {
    // A document with known figures: a width is 6 plus a logarithm, out of 100.
    const text = readFileSync(join(folder, "run.html"), "utf8");
    const run = JSON.parse(text.match(/id="graze-report">(.*?)<\/script>/s)[1]);
    const ms = { update: 1, traverse: 2, narrow: 4, total: 8 };
    Object.assign(run.steps[0], { ms, funnel: { cluster_pairs: 10000, feature_pairs: 100, past_filter: 10, exact: 1, contacts: 5 } });
    Object.assign(run.steps[1], { ms, funnel: { cluster_pairs: 10000, feature_pairs: 900, past_filter: 0, exact: 0, contacts: 0 } });
    writeFileSync(join(folder, "funnel.html"), text.replace(/(id="graze-report">).*?(<\/script>)/s, (_, a, b) => a + JSON.stringify(run) + b));
    const page = await open("funnel.html");
    const texts = (what) => page.locator(`#funnel ${what}`).allTextContents();
    assert.deepEqual(await texts(".name b"), ["cluster pairs", "feature pairs", "past the filter", "in exact arithmetic", "contacts"]);
    assert.deepEqual(await texts(".value b"), ["10,000", "100", "10", "1", "5"]);
    assert.deepEqual((await texts(".value small")).slice(1), ["1.0 % of those above", "10 % of those above", "10 % of those above", "50 % of those above"]);
    const widths = await page.locator("#funnel rect").evaluateAll((rects) => rects.map((rect) => Number(rect.getAttribute("width"))));
    const expected = [100, 53, 29.5, 6, 6 + (94 * Math.log10(5)) / 4];
    assert.ok(widths.length === 5 && widths.every((width, i) => Math.abs(width - expected[i]) < 1e-9), String(widths));
    const times = await page.locator("#funnel-times rect").evaluateAll((rects) => rects.map((rect) => Number(rect.getAttribute("width"))));
    assert.deepEqual(times, [12.5, 25, 50, 12.5]);
    assert.match(await page.textContent("#funnel-times"), /elementary tests 4 ms \(50 %\)/);

    await page.hover("[data-stage=feature_pairs]");
    assert.equal(await page.textContent("#funnel-reading"), "Feature pairs: 90 of 100 end here (90 %), 10 go on to past the filter");
    await page.click("[data-stage=feature_pairs]");
    assert.equal(await page.textContent("#funnel-stage h3"), "Feature pairs, by step");
    assert.equal(await page.locator("#funnel-stage path").count(), 2); // pairs that went on, and pairs that did not
    const mark = () => page.locator("#funnel-stage .mark").getAttribute("x");
    const first = await mark();
    await setSlider(page, "#step-slider", 1);
    assert.notEqual(await mark(), first);
    assert.deepEqual(await texts(".value b"), ["10,000", "900", "0", "0", "0"]);
    await page.selectOption("#funnel-scope", "all");
    assert.deepEqual(await texts(".value b"), ["20,000", "1,000", "10", "1", "5"]);
    assert.equal(await page.getAttribute("[data-stage=feature_pairs]", "aria-pressed"), "true");
    await page.click("[data-stage=feature_pairs]");
    assert.equal(await page.locator("#funnel-stage figure").count(), 0);
    assert.deepEqual(page.wrong, []);
    await page.close();
  });

  test("is light or dark as the system is, and by its switch", async () => {
    await startOver();
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const brightness = (colour) => colour.match(/\d+/g).slice(0, 3).reduce((sum, c) => sum + Number(c), 0) / 3;
    const [lightGround, lightView] = [await ground(), await pixels(page)];
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForFunction(() => document.documentElement.dataset.scheme === "dark");
    const [darkGround, darkView] = [await ground(), await pixels(page)];
    assert.ok(brightness(lightGround) > 200 && brightness(darkGround) < 60, `${lightGround} ${darkGround}`);
    assert.ok(changedPixels(lightView, darkView) > 0.5 * lightView.width * lightView.height, "the view is drawn for the scheme");
    await page.click("#scheme");
    assert.equal(await ground(), lightGround);
    assert.deepEqual(page.wrong, []);
  });

  test("fits a phone without scrolling sideways, and shows any name as text", async () => {
    const page = await open("hostile.html", { viewport: { width: 360, height: 720 } });
    assert.equal(await page.textContent("#title"), `${hostile} → frame1.obj`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    assert.ok((await page.locator("#canvas").boundingBox()).height > 300);
    await page.locator("[data-impact]").first().click();
    assert.match(await page.textContent("#selected-facts"), /vertex 3/);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    assert.deepEqual(page.wrong, []);
    await page.close();
  });

  test("says what was left out", async () => {
    const text = readFileSync(join(folder, "run.html"), "utf8");
    const run = JSON.parse(text.match(/id="graze-report">(.*?)<\/script>/s)[1]);
    run.shown = [{ ...run.shown[0], found: 12 }];
    run.mesh.frames = [0, 1];
    writeFileSync(join(folder, "sampled.html"), text.replace(/(id="graze-report">).*?(<\/script>)/s, (_, a, b) => a + JSON.stringify(run) + b));
    const page = await open("sampled.html");
    assert.match(await page.textContent("#list-note"), /3 of the step's 12 contacts/);
    assert.match(await page.textContent("#notes"), /1 of the 2 steps.*Left out: 1\./s);
    assert.match(await page.textContent("#notes"), /3 of 12/);
    assert.deepEqual(page.wrong, []);
    await page.close();
  });

  test("opens a capture, and refuses what is none", async () => {
    await page.setInputFiles("#open-file", { name: "step.graze", mimeType: "", buffer: captureBytes() });
    await page.waitForFunction(() => document.getElementById("title").textContent === "step.graze");
    assert.match(await page.textContent("#summary"), /3 contacts: 3 vertex–face, 0 edge–edge/);
    assert.match(await page.textContent("#list-note"), /graze detect step\.graze --report/);
    assert.ok(await page.isHidden("#narrowing"));
    await setSlider(page, "#time-slider", 0);
    const start = await pixels(page);
    await setSlider(page, "#time-slider", 1);
    assert.ok(changedPixels(start, await pixels(page)) > 1000, "the slider does not move the capture");
    for (const [broken, complaint] of [
      [Buffer.from("solid"), /step\.graze: not a capture/],
      [captureBytes().subarray(0, 300), /step\.graze: its counts make/],
      [captureBytes(77), /triangle 1 has vertex 77/],
      [captureBytes(5, NaN), /vertex 5 is not finite/],
    ]) {
      await page.setInputFiles("#open-file", { name: "step.graze", mimeType: "", buffer: broken });
      await page.waitForFunction((source) => new RegExp(source).test(document.getElementById("problem").textContent), complaint.source);
      assert.ok(await page.isVisible("#problem"));
    }
    assert.equal(await page.textContent("#title"), "step.graze", "what was shown stays");
    assert.deepEqual(page.wrong, []);
  });

  test("shows a benchmark, and where answers differ", async () => {
    const row = { scene: "sheets", threads: 2, vf: 3, ee: 4, hash: "aa", min_ms: 1, bytes_per_triangle: 70 };
    const rows = [
      { ...row, method: "auto", median_ms: 1.5, ms: { update: 1, traverse: 1, narrow: 1, total: 4 }, funnel: { cluster_pairs: 50, contacts: 7 } },
      { ...row, method: "peer:<b>FCL", median_ms: 30, hash: null },
      { ...row, method: "brute", median_ms: 300, hash: "bb", funnel: { bounds: 9000, contacts: 7 } },
    ];
    const text = readFileSync(join(folder, "run.html"), "utf8");
    const { stages } = JSON.parse(text.match(/id="graze-report">(.*?)<\/script>/s)[1]);
    const bench = { graze: "0", title: "bench", stages, bench: { machine: { cores: 2 }, rows } };
    writeFileSync(join(folder, "bench.html"), text.replace(/(id="graze-report">).*?(<\/script>)/s, (_, a, b) => a + JSON.stringify(bench).replaceAll("<", "\\u003c") + b));
    const page = await open("bench.html");
    assert.deepEqual(await page.locator(".bench-rows b").allTextContents(), ["auto", "<b>FCL", "brute"]);
    assert.match(await page.textContent("#bench-scenes"), /2 different answers/);
    assert.deepEqual(await page.locator(".funnel .value b").allTextContents(), ["50", "7"]); // of the fastest row
    assert.equal(await page.locator(".times rect").count(), 4);
    await page.click(".bench-rows button:has-text('brute')");
    assert.deepEqual(await page.locator(".funnel .value b").allTextContents(), ["9,000", "7"]);
    assert.equal(await page.locator(".bench-rows button").count(), 2); // nothing is known about a peer
    assert.ok(await page.isHidden("#run"));
    assert.deepEqual(page.wrong, []);
    await page.close();
  });
});
