import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether the Java worker is built, and a real ZooKeeper can be started. */
    javaWorker: boolean
  }
}
