import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // It is not known before it is served where: the server writes that into the document.
  base: './',
  oxc: { jsx: { importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('../dist/ui', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // The page is served under a policy that allows no code inside the document, and no data: addresses.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
})
