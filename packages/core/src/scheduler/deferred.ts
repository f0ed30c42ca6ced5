/** A promise that somebody else settles; a rejection that nobody waits for is nobody's. */
export class Deferred {
  readonly promise: Promise<void>
  resolve: () => void = () => {}
  reject: (error: unknown) => void = () => {}

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    this.promise.catch(() => {})
  }
}
