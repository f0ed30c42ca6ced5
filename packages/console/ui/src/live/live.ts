/**
 * The data of the page, kept up to date by one stream. Outdated data are never shown as current: `freshness` has the
 * time since which they may be wrong.
 */
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals'

import type { LogChunk, RunHistory } from '../../../src/contract/history.ts'
import type { JobDetail, JobEntry } from '../../../src/contract/jobs.ts'
import type { LiveMessage, LiveMessageName } from '../../../src/contract/live.ts'
import type { ServerEntry } from '../../../src/contract/servers.ts'
import { queryString } from '../api/request.ts'
import { base } from '../tab/base.ts'
import { dataSourceName, registryName } from '../tab/selection.ts'
import { after, currentTime, setServerTime } from '../time/clock.ts'
import { appendLog, applyChanges } from './apply.ts'
import { backoff } from './backoff.ts'

/** The topics that are shown, and so requested. */
export interface Topics {
  readonly jobs?: boolean
  readonly servers?: boolean
  readonly job?: string
  readonly run?: string
}

/** The server sends an event every 15 seconds; after a longer silence it counts as gone. */
const silence = 35_000

interface Link {
  readonly state: 'connecting' | 'open' | 'lost'
  readonly since: number
}

const link = signal<Link>({ state: 'connecting', since: currentTime() })

export const registry = signal<LiveMessage<'registry'> | undefined>(undefined)
export const jobs = signal<ReadonlyMap<string, JobEntry> | undefined>(undefined)
export const servers = signal<ReadonlyMap<string, ServerEntry> | undefined>(undefined)
/** The number of entries that follow: a long list arrives in pieces. */
export const jobsLeft = signal(0)
export const serversLeft = signal(0)
export const job = signal<
  { readonly jobName: string; readonly detail?: JobDetail | undefined } | undefined
>(undefined)
export const run = signal<
  { readonly runId: string; readonly history?: RunHistory | undefined } | undefined
>(undefined)
export const log = signal<readonly LogChunk[]>([])
/** The problems of topics that could not be followed. */
export const problems = signal<Readonly<Record<string, LiveMessage<'problem'>>>>({})

/** Why there is no registry to follow; undefined if there is one, or before the first answer. */
export const refusal: ReadonlySignal<LiveMessage<'problem'> | undefined> = computed(
  () => problems.value['registry'],
)

export type Freshness =
  | { readonly state: 'fresh' }
  | {
      readonly state: 'connecting'
      /** The progress of the first read of a registry. */
      readonly progress?: { readonly done: number; readonly total: number } | undefined
    }
  | {
      readonly state: 'old'
      readonly cause: 'stream' | 'registry'
      readonly since: number
    }

export const freshness: ReadonlySignal<Freshness> = computed(() => {
  const { state, since } = link.value
  if (state === 'lost') return { state: 'old', cause: 'stream', since }
  const known = registry.value
  if (known === undefined || known.state === 'idle') return { state: 'connecting' }
  if (known.state === 'connected') return { state: 'fresh' }
  // The known data are outdated, and the page has to show that.
  const isShown = [jobs, servers, job].some(({ value }) => value !== undefined)
  if (known.state === 'connecting' && !isShown) {
    return { state: 'connecting', progress: known.progress }
  }
  return { state: 'old', cause: 'registry', since: known.since }
})

let topics: Topics = {}
let revision: string | undefined
let source: EventSource | undefined
let attempts = 0
let cancelWatch = (): void => {}
let cancelRetry = (): void => {}
let onLost: () => void = () => {}

/** Called whenever the stream breaks: the session may have ended. */
export function whenLost(callback: () => void): void {
  onLost = callback
}

/** Subscribes to the topics of another page, and drops the data of the others. */
export function follow(wanted: Topics): void {
  if (source !== undefined && JSON.stringify(wanted) === JSON.stringify(topics)) return
  batch(() => {
    if (wanted.jobs !== true) jobs.value = undefined
    if (wanted.servers !== true) servers.value = undefined
    if (wanted.job !== topics.job) job.value = undefined
    if (wanted.run !== topics.run) {
      run.value = undefined
      log.value = []
    }
    problems.value = {}
  })
  topics = wanted
  open()
}

/** Drops all data after another registry or data source was selected. */
export function forget(): void {
  batch(() => {
    registry.value = undefined
    jobs.value = servers.value = job.value = run.value = undefined
    log.value = []
    problems.value = {}
  })
  revision = undefined
  if (source !== undefined) open()
}

export function close(): void {
  cancelWatch()
  cancelRetry()
  source?.close()
  source = undefined
}

function open(): void {
  close()
  const query = queryString({
    registry: registryName.value,
    source: dataSourceName.value,
    ...topics,
    after: log.value.at(-1)?.sequence,
    since: topics.jobs === true && jobs.value !== undefined ? revision : undefined,
  })
  const opened = new EventSource(`${base}/api/live${query}`)
  source = opened
  opened.addEventListener('open', () => {
    attempts = 0
    link.value = { state: 'open', since: currentTime() }
    watch()
  })
  opened.addEventListener('error', lose)
  for (const name of names) {
    opened.addEventListener(name, (event: MessageEvent<string>) => {
      watch()
      receive(name, JSON.parse(event.data))
    })
  }
}

const receivers: { readonly [N in LiveMessageName]: (message: LiveMessage<N>) => void } = {
  registry: (message) => {
    setServerTime(message.now)
    batch(() => {
      registry.value = message
      const { registry: _refused, ...others } = problems.value
      problems.value = others
    })
  },
  jobs: (message) => {
    revision = message.revision
    batch(() => {
      jobsLeft.value = message.left
      jobs.value = applyChanges(jobs.value, message, ({ jobName }) => jobName)
    })
  },
  servers: (message) => {
    batch(() => {
      serversLeft.value = message.left
      servers.value = applyChanges(servers.value, message, ({ serverIp }) => serverIp)
    })
  },
  job: (message) => {
    if (message.jobName === topics.job) job.value = message
  },
  run: (message) => {
    if (message.runId === topics.run) run.value = message
  },
  log: (message) => {
    if (message.runId === topics.run) log.value = appendLog(log.value, message.chunks)
  },
  problem: (message) => {
    problems.value = { ...problems.value, [message.topic]: message }
  },
  alive: ({ now }) => setServerTime(now),
}

const names = Object.keys(receivers) as LiveMessageName[]

function receive(name: LiveMessageName, message: unknown): void {
  // The name of an event determines the type of its message.
  ;(receivers[name] as (message: unknown) => void)(message)
}

function watch(): void {
  cancelWatch()
  cancelWatch = after(silence, lose)
}

/**
 * The browser's own reconnect does not cover every kind of end, and does not report since when the stream is broken.
 */
function lose(): void {
  close()
  if (link.value.state !== 'lost') link.value = { state: 'lost', since: currentTime() }
  onLost()
  cancelRetry = after(backoff(attempts++), open)
}
