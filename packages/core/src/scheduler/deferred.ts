/** A promise that is settled from outside. A rejection that no caller awaits is ignored. */
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
