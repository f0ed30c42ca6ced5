import { describe, expect, it } from 'vitest'

import {
  isReleased,
  planRegistering,
  planRelease,
  planWithdrawal,
  type Registered,
  unregistered,
} from '../../src/barrier/registered-plan.ts'
import { java, jobTree, type JobTree, type Situation, x } from '../tree.ts'

const job = (situation: Situation = {}): JobTree =>
  jobTree({ instances: [x, java], leader: java, owners: [x, x, java], ...situation })

/** What stands in a phase of a job. */
function registeredIn({ server, paths }: JobTree): Registered {
  const folder = server.get(paths.guaranteed('started'))
  return {
    hasRoot: server.get(paths.guarantee) !== undefined,
    names: folder === undefined ? undefined : server.children(paths.guaranteed('started')),
    czxid: folder?.czxid,
  }
}

function register(tree: JobTree, shards: readonly number[], by = x): void {
  const plan = planRegistering(tree.member(by), 'started', registeredIn(tree), shards)
  tree.apply(plan, by)
}

describe('registering', () => {
  it('makes what is missing, with the names that Java gives', () => {
    const tree = job()
    register(tree, [0, 1])
    expect(tree.server.children(`${tree.paths.root}/guarantee/started`)).toEqual(['0', '1'])
    register(tree, [1, 2], java)
    expect(tree.server.children(`${tree.paths.root}/guarantee/started`)).toEqual(['0', '1', '2'])
  })

  it('asks for nothing when all is there: a run that was taken over counts once', () => {
    const tree = job()
    register(tree, [0])
    expect(planRegistering(tree.member(x), 'started', registeredIn(tree), [0])).toEqual([])
  })
})

describe('what is not registered', () => {
  it('are the shards of the job that are missing', () => {
    const tree = job()
    expect(unregistered(tree.view, 3, registeredIn(tree))).toEqual([0, 1, 2])
    register(tree, [0, 2])
    expect(unregistered(tree.view, 3, registeredIn(tree))).toEqual([1])
  })

  it('are none that are disabled', () => {
    const tree = job({ marks: { 1: { disabled: '' } } })
    register(tree, [0, 2])
    expect(unregistered(tree.view, 3, registeredIn(tree))).toEqual([])
  })

  it('is not hidden by shards that do not exist any more', () => {
    const tree = job()
    register(tree, [0, 1, 7])
    expect(unregistered(tree.view, 3, registeredIn(tree))).toEqual([2])
  })
})

describe('a release', () => {
  it('takes away all that is registered and the folder, which is what Java waits for', () => {
    const tree = job()
    register(tree, [0, 1, 2])
    expect(isReleased(registeredIn(tree), [0, 1])).toBe(false)
    tree.apply(planRelease(tree.member(x), 'started', registeredIn(tree)), x)
    expect(tree.server.get(tree.paths.guaranteed('started'))).toBeUndefined()
    expect(isReleased(registeredIn(tree), [0, 1])).toBe(true)
  })

  it('loses against somebody who registers meanwhile, and is planned again', () => {
    const tree = job()
    register(tree, [0, 1])
    const plan = planRelease(tree.member(x), 'started', registeredIn(tree))
    register(tree, [2], java)
    expect(tree.apply(plan, x)).toBe('NOT_EMPTY')
    expect(tree.server.children(tree.paths.guaranteed('started'))).toEqual(['0', '1', '2'])
  })

  it('asks for nothing where the folder is gone', () => {
    const tree = job()
    expect(planRelease(tree.member(x), 'started', registeredIn(tree))).toEqual([])
  })
})

describe('a withdrawal', () => {
  it('takes back what one has registered, and nothing of others', () => {
    const tree = job()
    register(tree, [0, 1, 2])
    tree.apply(planWithdrawal(tree.member(x), 'started', registeredIn(tree), [0, 1]), x)
    expect(tree.server.children(tree.paths.guaranteed('started'))).toEqual(['2'])
    expect(planWithdrawal(tree.member(x), 'started', registeredIn(tree), [0, 1])).toEqual([])
  })
})
