/**
 * `npm start`: three processes share the items of one job, on the embedded server.
 *
 *   npm start                    until Ctrl-C; a second one ends everything at once
 *   npm start -- --seconds 20    ends by itself, and fails unless every item ran once for each fire
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { startServer } from '@elasticjob/zookeeper-server'

import { type Fire, Fires, problemsOf } from './fires.ts'
import { sampleJob } from './job.ts'
import type { WorkerMessage } from './messages.ts'

const workerCount = 3
/** Signals that come within so many milliseconds are one. */
const sameSignal = 300
const { jobName, shardingTotalCount } = sampleJob

const seconds = secondsOf(process.argv.slice(2))
const server = await startServer({ port: 0 })
const workers = new Map<string, ChildProcess>()
const names = Array.from({ length: workerCount }, (_, index) => `worker ${index + 1}`)
const fires = new Fires(shardingTotalCount, showFire)
let stopping: { reason: 'signal' | 'time'; since: number } | undefined

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => (stopping === undefined ? stop('signal') : stopAtOnce()))
}

console.log(`The job '${jobName}' has ${shardingTotalCount} items and fires every 5 seconds.`)
console.log(
  `${workerCount} processes share it, through an embedded server on ${server.connectString}:\n`,
)
for (const name of names) startWorker(name)
console.log(`\nTo see items move, end a worker (kill ${workers.get('worker 2')?.pid}).`)
console.log(
  seconds === undefined
    ? 'To stop, press Ctrl-C.\n'
    : `It stops after ${seconds} seconds, or by Ctrl-C.\n`,
)
showRow('fire', names)

const timer = seconds === undefined ? undefined : setTimeout(() => stop('time'), seconds * 1000)
await Promise.all([...workers.values()].map((worker) => once(worker, 'exit')))
clearTimeout(timer)
await server.close()
summarize()

function startWorker(name: string): void {
  // Detached, so that the terminal's Ctrl-C reaches this process alone, which then stops the workers.
  const worker = fork(
    fileURLToPath(new URL('./worker.ts', import.meta.url)),
    [server.connectString],
    { detached: true },
  )
  workers.set(name, worker)
  console.log(`  ${name}  process ${worker.pid}`)
  worker.on('message', (message: WorkerMessage) => heard(name, message))
  worker.on('exit', (code, signal) => {
    if (stopping !== undefined) return
    if (code === 0) say(`${name} has left`)
    else say(`${name} has crashed (${signal ?? code}): its items move when its session is over`)
  })
}

function heard(name: string, message: WorkerMessage): void {
  switch (message.kind) {
    case 'joined':
      return say(`${name} takes part`)
    case 'leads':
      return stopping === undefined ? say(`${name} leads: it deals out the items`) : undefined
    case 'ran':
      return fires.ran(name, message.item, message.fireTime)
    case 'failed':
      return say(`${name} failed at item ${message.item}: ${message.reason}`)
  }
}

function stop(reason: 'signal' | 'time'): void {
  stopping = { reason, since: performance.now() }
  say('stopping: what runs may end')
  for (const worker of workers.values()) worker.kill('SIGTERM')
}

function stopAtOnce(): void {
  // One Ctrl-C comes from the terminal, and again from npm and tsx, which pass it on.
  if (stopping === undefined || performance.now() - stopping.since < sameSignal) return
  say('ended at once')
  for (const worker of workers.values()) worker.kill('SIGKILL')
  process.exit(1)
}

function summarize(): void {
  const all = fires.shown
  const runs = all.flatMap(([, fire]) => [...fire.values()].flat())
  const problems = all.flatMap(([time, fire]) =>
    problemsOf(fire, shardingTotalCount).map((problem) => `${clockOf(time)}: ${problem}`),
  )
  console.log(`\nStopped. Fires: ${all.length}, runs: ${runs.length}, of these:`)
  for (const name of names)
    console.log(`  ${name}  ${runs.filter((worker) => worker === name).length}`)
  if (all.length > 0 && problems.length === 0)
    console.log('Every item ran exactly once for each fire.')
  for (const problem of problems) console.log(problem)
  if (stopping?.reason === 'time' && (all.length === 0 || problems.length > 0)) process.exitCode = 1
}

function showFire(time: number, fire: Fire): void {
  const items = (name: string): string =>
    [...fire.keys()]
      .filter((item) => fire.get(item)?.includes(name))
      .toSorted((a, b) => a - b)
      .join(' ')
  const problems = problemsOf(fire, shardingTotalCount)
  showRow(clockOf(time), [...names.map((name) => items(name) || '-'), problems.join(', ')])
}

function showRow(first: string, cells: readonly string[]): void {
  console.log([first.padEnd(10), ...cells.map((cell) => cell.padEnd(12))].join('').trimEnd())
}

function say(text: string): void {
  console.log(`${' '.repeat(10)}${text}`)
}

function clockOf(time: number): string {
  return new Date(time).toTimeString().slice(0, 8)
}

function secondsOf(args: string[]): number | undefined {
  const { seconds: given } = parseArgs({ args, options: { seconds: { type: 'string' } } }).values
  if (given === undefined) return undefined
  const number = Number(given)
  if (!(number > 0)) throw new Error(`--seconds must be a number above 0, not "${given}"`)
  return number
}
