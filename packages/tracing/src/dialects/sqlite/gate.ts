/**
 * What native code of a thread passes through. A process that ends tears its threads down wherever they
 * are, and native code in the middle of something then panics and aborts the process.
 */
export class Gate {
  readonly memory: SharedArrayBuffer
  /** First whether somebody is inside, then whether it is shut. */
  readonly #cells: Int32Array

  /** The same gate in two threads has the same memory. */
  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(8)) {
    this.memory = memory
    this.#cells = new Int32Array(memory)
  }

  /** Does the work, which must not wait for the other thread; undefined when the gate is shut. */
  pass<Result>(work: () => Result): Result | undefined {
    // First inside, then the look: whoever shuts it at the same moment sees this thread, or is seen.
    Atomics.store(this.#cells, 0, 1)
    try {
      return Atomics.load(this.#cells, 1) === 1 ? undefined : work()
    } finally {
      Atomics.store(this.#cells, 0, 0)
      Atomics.notify(this.#cells, 0)
    }
  }

  /** Lets nobody in any more, and blocks until whoever is inside has left. */
  shut(): void {
    Atomics.store(this.#cells, 1, 1)
    while (Atomics.load(this.#cells, 0) === 1) Atomics.wait(this.#cells, 0, 1)
  }
}
