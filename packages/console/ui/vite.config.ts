import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // The base path is not known at build time: the server writes it into the document.
  base: './',
  oxc: { jsx: { importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('../dist/ui', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // The page is served under a policy that allows neither inline code nor data: URLs.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
})
