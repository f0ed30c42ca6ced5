import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server that the suite runs against; one suite, several projects in `vitest.config.ts`. */
    target: 'standalone' | 'ensemble' | 'embedded'
    /** Whether a real ZooKeeper can be started on this machine. */
    realZooKeeper: boolean
  }
}
