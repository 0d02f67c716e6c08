// One HTML file: script and style go into the page, which then works from file:// and without a network.
// The script is a classic one, not a module, at the end of the body, after the data that it reads.
import { defineConfig, type Plugin } from "vite";

function inlined(): Plugin {
  return {
    name: "graze-inlined",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("no index.html in the bundle");
      let html = String(page.source);
      let script = "";
      let style = "";
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type === "chunk") script += part.code;
        else if (name.endsWith(".css")) style += String(part.source);
        else continue;
        delete bundle[name];
      }
      html = html.replace(/\s*<script[^>]*src=[^>]*><\/script>/g, "").replace(/\s*<link[^>]*rel="stylesheet"[^>]*>/g, "");
      // The replacements are functions, because replace() would interpret each $ in a replacement string.
      html = html.replace("</head>", () => `<style>${style.trim()}</style>\n</head>`);
      html = html.replace("</body>", () => `<script>${script.trim().replace(/<\/script/g, "<\\/script")}</script>\n</body>`);
      page.source = html;
    },
  };
}

export default defineConfig({
  base: "./",
  build: {
    target: "es2021",
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    rollupOptions: { output: { format: "iife", inlineDynamicImports: true } },
  },
  plugins: [inlined()],
});
