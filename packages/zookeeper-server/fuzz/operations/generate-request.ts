import type { Dice } from './dice.ts'
import type { Part, RequestBody } from './operation.ts'
import {
  anyAcl,
  anyData,
  openAcl,
  anyPath,
  anyProof,
  anyVersion,
  sequencePath,
} from './vocabulary.ts'

/** Any request that a client may send, and some invalid ones. */
export function anyRequest(dice: Dice): RequestBody {
  return dice.weighted(requests)(dice)
}

type Maker<T> = (dice: Dice) => T

const flagsOf = {
  create: [0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, -1, 100],
  container: [4, 4, 4, 4, 4, 0, 1, 2, 5, 9],
  ttl: [5, 5, 5, 5, 5, 6, 6, 6, 0, 1, 4, 7],
} as const

const create: Maker<Part> = (dice) => {
  const flags = dice.pick(flagsOf.create)
  const path = isSequential(flags) ? sequencePath(dice) : anyPath(dice)
  const name = dice.happens(0.6) ? 'create' : 'create2'
  return { do: name, path, data: anyData(dice, path), acl: anyAcl(dice), flags }
}

const createContainer: Maker<Part> = (dice) => {
  const path = anyPath(dice)
  const flags = dice.pick(flagsOf.container)
  return { do: 'createContainer', path, data: anyData(dice, path), acl: anyAcl(dice), flags }
}

const createTtl: Maker<Part> = (dice) => {
  const flags = dice.pick(flagsOf.ttl)
  const path = isSequential(flags) ? sequencePath(dice) : anyPath(dice)
  // TTLs end either before the next clean-up or not within a run.
  const ttl = dice.pick([1, 1, 1, 1_000_000_000, 2 ** 40 - 1, 2 ** 40, 0])
  return { do: 'createTtl', path, data: anyData(dice, path), acl: anyAcl(dice), flags, ttl }
}

const remove: Maker<Part> = (dice) => ({
  do: 'delete',
  path: anyPath(dice),
  version: anyVersion(dice),
})

const check: Maker<Part> = (dice) => ({
  do: 'check',
  path: anyPath(dice),
  version: anyVersion(dice),
})

const setData: Maker<Part> = (dice) => {
  const path = anyPath(dice)
  return { do: 'setData', path, data: anyData(dice, path), version: anyVersion(dice) }
}

const read: Maker<Part> = (dice) => ({
  do: dice.weighted([
    [7, 'getData'],
    [6, 'exists'],
    [4, 'getChildren'],
    [4, 'getChildren2'],
  ]),
  path: anyPath(dice),
  watch: dice.happens(0.5),
})

const writes: readonly (readonly [number, Maker<Part>])[] = [
  [22, create],
  [4, createContainer],
  [6, createTtl],
  [8, remove],
  [9, setData],
]

/** A part that is mostly valid, so that some multis consist of valid parts only. */
const likelyPart: Maker<Part> = (dice) => {
  const acl = openAcl
  const data = anyData(dice, '')
  return dice.weighted<Part>([
    [3, { do: 'create', path: dice.pick(['/s', '/a/s-']), data, acl, flags: dice.pick([2, 3]) }],
    [2, { do: 'create2', path: '/a/s-', data, acl, flags: 2 }],
    [1, { do: 'createTtl', path: '/b/t', data, acl, flags: 6, ttl: 1 }],
    [1, { do: 'createContainer', path: dice.pick(['/c', '/c/c']), data, acl, flags: 4 }],
    [2, { do: 'create', path: dice.pick(['/a/y', '/a/x/1']), data, acl, flags: 0 }],
    [2, { do: 'delete', path: dice.pick(['/a/y', '/a/x/1']), version: -1 }],
    [4, { do: 'setData', path: dice.pick(['/a', '/b', '/a/x']), data, version: -1 }],
    [2, { do: 'check', path: dice.pick(['/a', '/b', '/a/x']), version: -1 }],
  ])
}

const likely: typeof writes = [[1, likelyPart]]

/** Parts whose validity depends on the parts before them. */
const chain: readonly (readonly [number, Maker<Part>])[] = (() => {
  const path: Maker<string> = (dice) => dice.pick(['/m', '/m', '/m/c', '/m/c', '/m/c/d'])
  const version: Maker<number> = (dice) => dice.pick([-1, -1, 0, 1])
  const acl = openAcl
  return [
    [4, (d) => ({ do: 'create', path: path(d), data: 'x', acl, flags: d.pick([0, 0, 0, 1, 2]) })],
    [4, (d) => ({ do: 'delete', path: path(d), version: version(d) })],
    [1, (d) => ({ do: 'setData', path: path(d), data: 'yz', version: version(d) })],
    [1, (d) => ({ do: 'check', path: path(d), version: version(d) })],
  ]
})()

const anyWrite: typeof writes = [...writes, [6, check]]

const multi: Maker<RequestBody> = (dice) => {
  const parts = dice.pick([anyWrite, likely, chain])
  return { do: 'multi', parts: anyParts(dice, 5, parts, read) }
}

const multiRead: Maker<RequestBody> = (dice) => ({
  do: 'multiRead',
  parts: anyParts(dice, 4, [[1, readablePart]], create),
})

const readablePart: Maker<Part> = (dice) => ({
  do: dice.pick(['getData', 'getChildren']),
  path: anyPath(dice),
  watch: dice.happens(0.5),
})

/**
 * Valid parts, and rarely one of a wrong or mislabeled type: only as the last one, because nothing after it can be
 * parsed, and none that requires a vector.
 */
function anyParts(
  dice: Dice,
  most: number,
  parts: readonly (readonly [number, Maker<Part>])[],
  odd: Maker<Part>,
): Part[] {
  const some = dice.several(most, () =>
    dice.happens(0.01) ? odd(dice) : dice.weighted(parts)(dice),
  )
  const last = some.at(-1)
  if (last !== undefined && dice.happens(0.03)) {
    some[some.length - 1] = { ...last, as: dice.pick([-1, 0, 2, 4, 5, 7, 13, 14, 1_000]) }
  }
  return some
}

const setAcl: Maker<RequestBody> = (dice) => ({
  do: 'setAcl',
  path: anyPath(dice),
  acl: anyAcl(dice),
  version: anyVersion(dice),
})

const pathRequest: Maker<RequestBody> = (dice) => ({
  do: dice.weighted([
    [9, 'getAcl'],
    [3, 'getEphemerals'],
    [2, 'getAllChildrenNumber'],
    [2, 'sync'],
  ]),
  path: dice.happens(0.02) ? null : anyPath(dice),
})

const addWatch: Maker<RequestBody> = (dice) => ({
  do: 'addWatch',
  path: anyPath(dice),
  mode: dice.pick([0, 0, 1, 1, 1, 2, -1]),
})

const watchesOf: Maker<RequestBody> = (dice) => ({
  do: dice.pick(['checkWatches', 'checkWatches', 'removeWatches']),
  path: anyPath(dice),
  type: dice.pick([1, 1, 2, 2, 3, 3, 0, 4]),
})

const setWatches: Maker<RequestBody> = (dice) => {
  const paths = (): string[] => dice.several(3, () => anyPath(dice))
  return {
    do: dice.pick(['setWatches', 'setWatches2']),
    ago: dice.pick([0, 1, 2, 5, 10, 30, 100, -1]),
    data: paths(),
    exist: paths(),
    child: paths(),
    persistent: paths(),
    recursive: paths(),
  }
}

const auth: Maker<RequestBody> = (dice) => {
  const [scheme, proof] = anyProof(dice)
  return { do: 'auth', scheme, auth: proof }
}

/** Types without a request, and one that only the server itself uses. */
const other: Maker<RequestBody> = (dice) => ({
  do: 'other',
  type: dice.pick([0, 10, 20, 20, 23, 99, 108, 1_000, -1, -2, -12]),
  body: dice.pick(['', '00000001', '00000002 2f61'.replace(' ', '')]),
})

const requests: readonly (readonly [number, Maker<RequestBody>])[] = [
  ...writes,
  [2, check],
  [22, read],
  [10, multi],
  [3, multiRead],
  [4, setAcl],
  [9, pathRequest],
  [5, addWatch],
  [5, watchesOf],
  [5, setWatches],
  [2, auth],
  [0.5, (dice) => ({ do: 'sasl', token: dice.pick(['', 'token']) })],
  [0.5, (dice) => ({ do: 'reconfig', members: dice.pick([null, 'server.1=localhost:1:2;3']) })],
  [0.5, other],
  [1, () => ({ do: 'whoAmI' })],
  [1, () => ({ do: 'ping' })],
  [0.7, () => ({ do: 'closeSession' })],
]

function isSequential(flags: number): boolean {
  return flags === 2 || flags === 3 || flags === 6
}
