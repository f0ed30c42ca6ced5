/** How a job comes into the registry, and how an instance comes into the job. */
import { part, type TransactionPart } from '@elasticjob/zookeeper'

import { encodeEpoch, noEpoch } from '../job-tree/epoch.ts'
import { serverOf } from '../job-tree/instance-id.ts'
import type { JobView, Versioned } from '../job-tree/job-view.ts'
import { encodeJobWord, type JobWord, noJobWord } from '../job-tree/job-word.ts'
import type { Member } from '../job-tree/member.ts'
import type { JobPaths } from '../job-tree/paths.ts'

/** What a job comes into being with. */
export interface Creation {
  readonly configText: string
  /** What Java calls its class; undefined if its node is there already. */
  readonly rootData: string | undefined
  /** Its word, unless it has one. */
  readonly word: JobWord
}

/**
 * The whole skeleton of a job that does not exist, or nothing of it. The word with it: whoever removes the
 * job has changed it, and deletes it last, so that nobody makes a job while it is being removed.
 */
export function planCreation(
  view: JobView,
  { paths, make }: Pick<Member, 'paths' | 'make'>,
  { configText, rootData, word }: Creation,
): TransactionPart[] {
  const guard =
    view.word === undefined
      ? firstWord({ paths, make }, word)
      : [part.check(paths.word, view.word.version)]
  // What is missing below a node that is there comes with the registration.
  if (rootData === undefined) return [...guard, make.persistent(paths.config, configText)]
  return [
    ...guard,
    make.persistent(paths.root, rootData),
    make.persistent(paths.config, configText),
    ...[paths.instances, paths.servers, paths.leader, paths.election, paths.items].map((path) =>
      make.persistent(path),
    ),
    // Never empty: without data it would be one that Java has made.
    make.persistent(paths.epoch, encodeEpoch(noEpoch)),
  ]
}

/** The word of a job that has none, with the folder for those of its items. */
function firstWord(
  { paths, make }: Pick<Member, 'paths' | 'make'>,
  word: JobWord,
): TransactionPart[] {
  return [make.persistent(paths.word, encodeJobWord(word)), make.persistent(paths.words)]
}

/** What an instance says of itself when it comes. */
export interface Arrival {
  readonly instanceText: string
  /** What the configuration says of this server: it holds for a new one, or for all with `overwrite`. */
  readonly disabled: boolean
  readonly overwrite: boolean
  readonly word: JobWord
}

/**
 * The server and the instance in one transaction: Java takes an instance without its server for a
 * disabled one. What an operator said of the server stays as it is, unless `overwrite` says otherwise.
 */
export function planRegistration(view: JobView, me: Member, arrival: Arrival): TransactionPart[] {
  const { paths, make } = me
  const operations: TransactionPart[] = []
  for (const [folder, path] of [
    ['instances', paths.instances],
    ['servers', paths.servers],
    ['leader', paths.leader],
    ['leader/election', paths.election],
    ['sharding', paths.items],
  ] as const) {
    if (!view.folders.has(folder)) operations.push(make.persistent(path))
  }
  if (view.epoch === undefined) operations.push(make.persistent(paths.epoch, encodeEpoch(noEpoch)))
  // A job that is being removed has changed its word: then this one fails as a whole.
  if (view.word === undefined) operations.push(...firstWord(me, arrival.word))
  else operations.push(greeting(view, view.word, me))
  const said = view.servers.get(me.ip)
  const wish = arrival.disabled ? 'DISABLED' : 'ENABLED'
  if (said === undefined) operations.push(make.persistent(paths.server(me.ip), wish))
  else if (arrival.overwrite && said !== wish) operations.push(part.set(paths.server(me.ip), wish))
  // Earlier versions wrote nothing for an enabled server; Java would wait for it for ever.
  else if (said === '') operations.push(part.set(paths.server(me.ip), 'ENABLED'))
  // It stands already if the answer to this was lost; nobody else has our name.
  if (!view.instances.has(me.instance)) {
    operations.push(make.ephemeral(paths.instance(me.instance), arrival.instanceText))
  }
  return operations
}

/**
 * That an operator shut a server down holds until it takes part again: then those who left are forgotten.
 * So is that the server was empty; whoever is about to take its node away finds the word changed.
 */
function greeting(view: JobView, word: Versioned<JobWord>, { paths, ip }: Member): TransactionPart {
  const { shutdown = [], emptyServers = {}, ...rest } = word.value
  const left = shutdown.filter((one) => serverOf(one) !== ip || view.instances.has(one))
  const empty = Object.entries(emptyServers).filter(([one]) => one !== ip)
  const isKnown = left.length < shutdown.length || emptyServers[ip] !== undefined
  if (!isKnown) return part.check(paths.word, word.version)
  const value: JobWord = {
    ...rest,
    ...(left.length === 0 ? {} : { shutdown: left }),
    ...(empty.length === 0 ? {} : { emptyServers: Object.fromEntries(empty) }),
  }
  return part.set(paths.word, encodeJobWord(value), word.version)
}

/** While we are registered our server has a node: Java counts an instance without one as disabled. */
export function planServerRepair(view: JobView, me: Member): TransactionPart[] {
  if (!view.instances.has(me.instance) || view.servers.has(me.ip)) return []
  return [
    part.check(me.paths.instance(me.instance)),
    me.make.persistent(me.paths.server(me.ip), 'ENABLED'),
  ]
}

/** The cron expression and zone changed: what was scheduled before that is due no more. */
export function planSchedule(view: JobView, paths: JobPaths, digest: string): TransactionPart[] {
  const { config, word } = view
  if (config === undefined || word === undefined) return []
  if (word.value.schedule?.digest === digest) return []
  const changed: JobWord = {
    ...noJobWord,
    ...word.value,
    schedule: { digest, since: config.mtime },
  }
  return [part.set(paths.word, encodeJobWord(changed), word.version)]
}
