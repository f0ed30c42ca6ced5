import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether there is a browser to look at the page with. */
    readonly chromium: boolean
  }
}
