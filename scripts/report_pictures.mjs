#!/usr/bin/env node
// Makes the pictures of the report that README.md and docs/report.md show.
//
//   build/release/graze demo && scripts/report_pictures.mjs report.html docs/pictures
import { mkdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { launchBrowser } from "../tests/viewer/browser.mjs";

const [report, folder] = process.argv.slice(2);
if (!report || !folder) {
  console.error("usage: report_pictures.mjs REPORT.html FOLDER");
  process.exit(2);
}
const browser = await launchBrowser();
if (!browser) process.exit(2);
mkdirSync(folder, { recursive: true });

/** One picture: what the page is asked to show before it is taken. */
async function picture(name, { width, height, scheme }, prepare = async () => {}, ratio = 1) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme, deviceScaleFactor: ratio, reducedMotion: "reduce" });
  await page.goto(`file://${resolve(report)}`);
  const clip = await prepare(page);
  await page.waitForTimeout(700); // software WebGL takes its time
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, ...(clip ? { clip } : {}) });
  console.log(`${path}  ${Math.round(statSync(path).size / 1024)} kB`);
  await page.close();
}

const wide = { width: 1080, height: 675 };
await picture("report", { ...wide, scheme: "light" });
await picture("report-contact", { ...wide, scheme: "dark" }, async (page) => {
  // Two edges that meet half-way through the step: both features and the normal are seen.
  await page.click("#list-kind [value=ee]");
  await page.locator("#impact-list").evaluate((list) => (list.scrollTop = list.scrollHeight / 2));
  await page.locator("[data-impact]").nth(3).click();
});
await picture("report-charts", { width: 1180, height: 1240, scheme: "light" }, async (page) => {
  await page.locator(".figures").evaluate((figures) => figures.scrollIntoView({ block: "start" }));
  await page.evaluate(() => window.scrollBy(0, -24));
});
await picture("report-phone", { width: 390, height: 780, scheme: "dark" }, async (page) => page.click("#colour-by [value=body]"));
await browser.close();
