/**
 * `crash <scheduler> <url> <defaults | quick> <job>`: one of two processes that can run a job. It says when
 * it does, by a clock that all processes of the machine share, and runs it until it is killed. On a line of
 * input it makes the job run, here or there.
 */
import { createInterface } from 'node:readline'
import { say } from '../say.ts'
import type { Pace } from './contender.ts'
import { open } from './open.ts'

const [name = '', url = '', pace = 'defaults', job = ''] = process.argv.slice(2)
const contender = await open(name)(url, pace as Pace)
const run = await contender.join(job, () => {
  say({ at: Number(process.hrtime.bigint()) / 1e6 })
  return new Promise(() => {})
})
say({ ready: true })
const lines = createInterface({ input: process.stdin })
lines.on('line', () => void run())
lines.on('close', () => process.exit())
