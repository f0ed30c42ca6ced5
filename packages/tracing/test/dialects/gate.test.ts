import { Worker } from 'node:worker_threads'

import { expect, test } from 'vitest'

import { Gate } from '../../src/dialects/sqlite/gate.ts'

test('Gate runs the work and returns its result', () => {
  const gate = new Gate()
  expect(gate.pass(() => 'done')).toBe('done')
  expect(() => gate.pass(() => fail())).toThrow('not well')
  expect(gate.pass(() => 'again')).toBe('again')
})

test('Gate runs nothing once it is shut', () => {
  const gate = new Gate()
  gate.shut()
  expect(gate.pass(() => 'done')).toBeUndefined()
  expect(new Gate(gate.memory).pass(() => 'done')).toBeUndefined()
})

test('Gate.shut waits until the thread inside has left', async () => {
  const gate = new Gate()
  const left = new Int32Array(new SharedArrayBuffer(4))
  // Holds the gate through its memory, because a plain thread cannot load TypeScript.
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads')
    const [gate, left] = workerData.map((memory) => new Int32Array(memory))
    Atomics.store(gate, 0, 1)
    parentPort.postMessage('inside')
    while (Atomics.load(gate, 1) === 0) Atomics.wait(gate, 1, 0, 1)
    Atomics.store(left, 0, 1)
    Atomics.store(gate, 0, 0)
    Atomics.notify(gate, 0)`,
    { eval: true, workerData: [gate.memory, left.buffer] },
  )
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  await new Promise((resolve) => worker.once('message', resolve))
  gate.shut()
  expect(Atomics.load(left, 0)).toBe(1)
  await ended
})

function fail(): never {
  throw new Error('not well')
}
