import { setTimeout as pass } from 'node:timers/promises'
import type { Pace } from '../../../drivers/alternatives/contender.ts'
import { elasticJob } from '../../../drivers/alternatives/settings.ts'
import { LineProcess } from '../../../measure/line-process.ts'
import { progress } from '../../../measure/progress.ts'
import { quantile } from '../../../measure/statistics.ts'
import { type Contender, contenders, crashNotes } from '../contenders.ts'
import type { Part } from '../part.ts'
import { driver, type Metrics, onStore } from '../run-driver.ts'
import { type Line, table } from '../table.ts'
import { within } from '../within.ts'

const lines: readonly Line[] = [
  { what: 'defaults: until it runs again', unit: 's', metric: 'defaults' },
  { what: 'quick: until it runs again, median', unit: 's', metric: 'quickMedian' },
  { what: '– at most', unit: 's', metric: 'quickMost' },
]

/** A quick one is there long before. */
const shortTimeout = 30_000

/** How long the job has run when its process is killed, in milliseconds: not always at the same moment of a heartbeat. */
const runningFor: readonly number[] = [1_000, 1_700, 2_400]

/** Another process goes on with what one ran that was killed. */
export const crash: Part = {
  title: () => 'kill -9 of the process that runs a job',
  async measure(title, { crashes, timeout }, pinned) {
    // Nearly all of it is waiting, so all wait at the same time.
    progress(`${title}: everybody's defaults, up to ${timeout / 1_000} s`)
    const slow = await Promise.all(
      contenders.map((contender) => recoveries(contender, 'defaults', 1, timeout, pinned)),
    )
    progress(`${title}: everybody's quick settings, ${crashes} times`)
    const quick = await Promise.all(
      contenders.map((contender) => recoveries(contender, 'quick', crashes, shortTimeout, pinned)),
    )
    const results = contenders.map(({ name }, index): [string, Metrics[]] => [
      name,
      [metricsOf(slow[index] ?? [], quick[index] ?? [])],
    ])
    return table(title, lines, Object.fromEntries(results), [
      `From the signal to the first line of the job's code in the other process, which waits for work all the while; after 1 to 2.4 s of running. A dash: not within ${timeout / 1_000} s.`,
      ...crashNotes,
    ])
  },
}

function metricsOf(slow: readonly number[], quick: readonly number[]): Metrics {
  return {
    defaults: slow[0] ?? null,
    quickMedian: quick.length === 0 ? null : quantile(quick, 0.5),
    quickMost: quick.length === 0 ? null : Math.max(...quick),
  }
}

/** How long it took each time, in seconds; those that nobody could wait for are not in it. */
function recoveries(
  contender: Contender,
  pace: Pace,
  times: number,
  timeout: number,
  pinned: boolean,
): Promise<number[]> {
  const tickTime = pace === 'quick' ? { tickTime: elasticJob.crash.quick.serverTickTime } : {}
  return onStore(contender, { pinned, ...tickTime }, async (store) => {
    const seconds: number[] = []
    for (let time = 0; time < times; time++) {
      const command = driver('crash', contender, store, pinned, [pace, `crash-${time}`])
      const one = await recovery(command, runningFor[time % runningFor.length] ?? 0, timeout)
      if (one !== undefined) seconds.push(one)
    }
    return seconds
  })
}

async function recovery(
  command: readonly string[],
  running: number,
  timeout: number,
): Promise<number | undefined> {
  const pair = [await LineProcess.start(command), await LineProcess.start(command)] as const
  try {
    const begins = pair.map((each) => beginIn(each))
    pair[0].write({ run: true })
    const victim = await within(timeout, Promise.race(begins.map(async (b) => (await b).of)))
    if (victim === undefined) throw new Error('the job was never run')
    await pass(running)
    const killed = Number(process.hrtime.bigint()) / 1e6
    victim.kill()
    const survivor = victim === pair[0] ? 1 : 0
    const begun = await within(timeout, begins[survivor] as Promise<Begin>)
    return begun === undefined ? undefined : (begun.at - killed) / 1_000
  } finally {
    for (const each of pair) each.kill()
  }
}

interface Begin {
  readonly of: LineProcess
  /** By the clock that all processes of the machine share. */
  readonly at: number
}

async function beginIn(running: LineProcess): Promise<Begin> {
  const { at } = (await running.next()) as { at: number }
  return { of: running, at }
}
