import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether a real Prometheus can be started. */
    realPrometheus: boolean
  }
}
