import { type Contender, jobNames, type Open, type Period } from './contender.ts'
import { peer } from '../peer-module.ts'
import { agenda as settings, touchEvery } from './settings.ts'

/** As much of Agenda as is used here. */
interface Module {
  readonly Agenda: new (options: Options) => Agenda
  readonly PostgresBackend: new (options: { connectionString: string }) => unknown
}

type Options = Readonly<Record<string, unknown>>

interface Job {
  readonly attrs: { readonly nextRunAt: Date | null; readonly data: { readonly job: string } }
  touch(): Promise<void>
}

interface NewJob {
  repeatEvery(interval: string): NewJob
  unique(fields: Options): NewJob
  save(): Promise<unknown>
}

interface Agenda {
  on(event: 'error', listener: (error: Error) => void): void
  define(name: string, body: (job: Job) => Promise<void>, options?: Options): void
  create(name: string, data: { job: string }): NewJob
  start(): Promise<void>
  now(name: string): Promise<unknown>
}

const crons: Readonly<Record<Period, string>> = { second: '* * * * * *', minute: '0 * * * * *' }
const onceAYear = '0 0 0 1 1 *'
const definition = 'bench'

export const open: Open = async (connectionString, pace): Promise<Contender> => {
  const { Agenda, PostgresBackend } = await peer<Module>('agenda')
  const make = (options: Options): Agenda => {
    const agenda = new Agenda({ backend: new PostgresBackend({ connectionString }), ...options })
    agenda.on('error', (error) => {
      throw error
    })
    return agenda
  }
  const schedule = async (
    cron: string,
    count: number,
    options: Options,
    body: (job: Job) => void,
  ): Promise<void> => {
    // The defaults let 20 jobs run at a time, 5 of them of one definition, though all are due together.
    const agenda = make({ maxConcurrency: count, ...options })
    // One definition for all: with one for each it asks the database for every single one in every scan,
    // and is later.
    agenda.define(definition, async (job) => body(job), { concurrency: count })
    await Promise.all(
      jobNames(count).map((job) =>
        agenda.create(definition, { job }).repeatEvery(cron).unique({ 'data.job': job }).save(),
      ),
    )
    await agenda.start()
  }
  return {
    async every(period, count, fired) {
      const due = new Map<string, number>()
      const options = { processEvery: settings.processEvery[period] }
      await schedule(crons[period], count, options, ({ attrs: { data, nextRunAt } }) => {
        // A job is told when it runs next, never when it should have begun: that was said the last time.
        const scheduled = due.get(data.job)
        if (scheduled !== undefined) fired(data.job, scheduled)
        if (nextRunAt !== null) due.set(data.job, nextRunAt.getTime())
      })
    },
    hold: (count) => schedule(onceAYear, count, {}, () => {}),
    async join(name, body) {
      const agenda = make(settings.crash[pace].agenda)
      agenda.define(
        name,
        async (job) => {
          const living = setInterval(() => void job.touch(), touchEvery)
          await body().finally(() => clearInterval(living))
        },
        settings.crash[pace].job,
      )
      await agenda.start()
      return () => agenda.now(name)
    },
  }
}
