/**
 * Guards the native code of a thread. A process that exits tears its threads down at any point, and
 * interrupted native code panics and aborts the process.
 */
export class Gate {
  readonly memory: SharedArrayBuffer
  /** Cell 0: a thread is inside. Cell 1: the gate is shut. */
  readonly #cells: Int32Array

  /** Both threads share the memory of the gate. */
  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(8)) {
    this.memory = memory
    this.#cells = new Int32Array(memory)
  }

  /** Runs the work, which must not wait for the other thread; returns undefined if the gate is shut. */
  pass<Result>(work: () => Result): Result | undefined {
    // Enters before it checks: a concurrent shut() sees this thread, or this thread sees the shut gate.
    Atomics.store(this.#cells, 0, 1)
    try {
      return Atomics.load(this.#cells, 1) === 1 ? undefined : work()
    } finally {
      Atomics.store(this.#cells, 0, 0)
      Atomics.notify(this.#cells, 0)
    }
  }

  /** Shuts the gate, and blocks until the thread inside has left. */
  shut(): void {
    Atomics.store(this.#cells, 1, 1)
    while (Atomics.load(this.#cells, 0) === 1) Atomics.wait(this.#cells, 0, 1)
  }
}
