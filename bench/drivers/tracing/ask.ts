/**
 * `ask <url> <repetitions> <newest>`: asks a large history what operators ask, each time for another job
 * and another time; says how long each answer took, in milliseconds, by question.
 */
import { openHistory } from '@elasticjob/tracing'

import { say } from '../say.ts'

const day = 86_400_000
/** As many as were filled. */
const jobs = 200
const days = 30

const [url = '', repetitions = '1', newest = '0'] = process.argv.slice(2)
await using history = await openHistory({ url, timeout: 60_000 })

const pendingReads: Readonly<Record<string, (index: number) => Promise<unknown>>> = {
  'newest runs': () => history.executions(),
  'runs of a job': (index) => history.executions({ jobName: jobOf(index), to: timeOf(index) }),
  'a second page': async (index) => {
    const filter = { jobName: jobOf(index), to: timeOf(index) }
    const { next } = await history.executions(filter)
    return history.executions(filter, next === undefined ? {} : { cursor: next })
  },
  failures: (index) => history.executions({ outcomes: ['failure'], to: timeOf(index) }),
  'failures of a job': (index) =>
    history.executions({ jobName: jobOf(index), outcomes: ['failure'], to: timeOf(index) }),
  'runs of a machine': (index) =>
    history.executions({ address: `10.0.0.${index % 20}`, to: timeOf(index) }),
  'status changes of a job': (index) =>
    history.statusChanges({ jobName: jobOf(index), to: timeOf(index) }),
  "a day's figures of a job, by the hour": (index) => metrics(jobOf(index), index, 'hour'),
  "a day's figures of a job, by the minute": (index) => metrics(jobOf(index), index, 'minute'),
  "a day's figures of the busiest job, by the day": (index) => metrics('hot', index, 'day'),
  "a day's figures of the busiest job, by the hour": (index) => metrics('hot', index, 'hour'),
  "a day's figures of the busiest job, by the minute": (index) => metrics('hot', index, 'minute'),
}

const answers: Record<string, number[]> = {}
for (const [question, ask] of Object.entries(pendingReads)) {
  const took: number[] = []
  for (let index = 0; index < Number(repetitions); index++) {
    const begin = performance.now()
    await ask(index)
    took.push(performance.now() - begin)
  }
  answers[question] = took
}
say(answers)

function jobOf(index: number): string {
  return `job-${(index * 37) % jobs}`
}

/** Spread over the whole history. */
function timeOf(index: number): number {
  return Number(newest) - ((index * 7.3) % (days - 1)) * day
}

function metrics(
  jobName: string,
  index: number,
  step: 'day' | 'hour' | 'minute',
): Promise<unknown> {
  const to = timeOf(index)
  return history.statistics({ jobName, from: to - day, to, step })
}
