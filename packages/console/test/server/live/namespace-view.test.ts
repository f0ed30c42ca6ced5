import { systemRandom } from '@elasticjob/core/internal'
import { expect, it } from 'vitest'

import { NamespaceView } from '../../../src/server/live/namespace-view.ts'
import { FollowedJobs } from '../../support/followed.ts'
import { SteppingClock } from '../../support/stepping-clock.ts'

interface Watched {
  readonly view: NamespaceView
  readonly clock: SteppingClock
  readonly jobs: FollowedJobs
}

function viewOf(count: number): Watched {
  const clock = new SteppingClock()
  const listener = { moved: () => {}, lost: () => {}, current: () => {} }
  return {
    clock,
    jobs: new FollowedJobs(count),
    view: new NamespaceView(clock, systemRandom, listener),
  }
}

async function startedWith(count: number): Promise<Watched> {
  const watched = viewOf(count)
  await turnsUntil(watched.clock, watched.view.start(watched.jobs.follow))
  return watched
}

/** Whoever is offered a turn takes it, until that is done. */
async function turnsUntil(clock: SteppingClock, done: Promise<unknown>): Promise<void> {
  const end = done.then(() => true)
  const isOffered = (): Promise<boolean> => clock.turnIsOffered().then(() => false)
  while (!(await Promise.race([isOffered(), end]))) clock.takeTurn()
}

function descriptionOf(view: NamespaceView, jobName: string): string | undefined {
  return view.jobs().find((job) => job.jobName === jobName)?.description
}

it('lets others have their turn while it looks at many jobs, and says how far it has come', async () => {
  const { view, clock, jobs } = viewOf(25)
  expect(view.progress).toBeUndefined()
  const started = view.start(jobs.follow)
  await clock.turnIsOffered()
  expect(jobs.reads).toBe(10)
  expect(view.progress).toEqual({ done: 10, total: 25 })
  clock.takeTurn()
  await clock.turnIsOffered()
  expect(view.progress).toEqual({ done: 20, total: 25 })
  await turnsUntil(clock, started)
  expect(view.progress).toBeUndefined()
  expect(view.jobCount).toBe(25)
})

it('looks at once at what comes after a quiet time, and at what follows it together', async () => {
  const { view, clock, jobs } = await startedWith(3)
  clock.advance(1000)
  jobs.change('job-0', 'first')
  expect(clock.waits).toEqual([0])
  clock.advance(0)
  await turnsUntil(clock, view.caughtUp())
  const { reads } = jobs
  jobs.change('job-1', 'second')
  jobs.change('job-2', 'third')
  expect(clock.waits).toEqual([100])
  clock.advance(99)
  expect(jobs.reads).toBe(reads)
  clock.advance(1)
  await clock.turnIsOffered()
  expect(jobs.reads).toBe(reads + 2)
})

it('has caught up only when a look that is under way has ended', async () => {
  const { view, clock, jobs } = await startedWith(25)
  clock.advance(1000)
  for (const jobName of jobs.jobs.keys()) jobs.change(jobName, 'changed')
  clock.advance(0)
  // Ten of them are on the board, and nothing is touched that nobody looks at.
  await clock.turnIsOffered()
  const caughtUp = view.caughtUp().then(() => descriptionOf(view, 'job-24'))
  await turnsUntil(clock, caughtUp)
  expect(await caughtUp).toBe('changed')
})

it('who begins to read at the same time shares what is read, and then hears what was missed', async () => {
  const { view, clock, jobs } = await startedWith(3)
  const everything = view.everything('jobs')
  clock.advance(500)
  jobs.change('job-1', 'changed')
  clock.advance(0)
  await turnsUntil(clock, view.caughtUp())
  expect(view.everything('jobs')).toBe(everything)
  const since = view.numberOf(everything.revision) as number
  const missed = Buffer.from(view.messageSince('jobs', since) as Uint8Array).toString()
  expect(JSON.parse(missed)).toMatchObject({
    reset: false,
    changed: [{ jobName: 'job-1', description: 'changed' }],
    removed: [],
    left: 0,
    revision: view.revision,
  })
  clock.advance(500)
  expect(view.everything('jobs')).not.toBe(everything)
})

it('a message is made once for all who know the same', async () => {
  const { view, clock, jobs } = await startedWith(3)
  const since = view.numberOf(view.revision) as number
  expect(view.messageSince('jobs', since)).toBeUndefined()
  jobs.change('job-1', 'changed')
  await turnsUntil(clock, view.caughtUp())
  const message = view.messageSince('jobs', since)
  expect(message).toBeDefined()
  expect(view.messageSince('jobs', since)).toBe(message)
})
