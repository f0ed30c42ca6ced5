import { describe, expect, it } from 'vitest'

import { type DepartureNotice, planDeparture } from '../../src/scheduler/departure-plan.ts'
import { java, jobTree, type Situation, x, y } from '../tree.ts'

/** What each transaction does, and to which node below the job. */
function departure(situation: Situation, what: DepartureNotice): string[][] {
  const tree = jobTree(situation)
  const member = tree.member(x)
  return planDeparture(tree.view, member, what).map((parts) =>
    parts.map(({ type, path }) => `${type} ${path.split('/').slice(3).join('/')}`),
  )
}

describe('planDeparture', () => {
  it('takes away the instance alone where another one leads', () => {
    expect(departure({ instances: [x, y], leader: y }, 'everything')).toEqual([
      [`delete instances/${x}`],
    ])
    expect(departure({ instances: [x, java], leader: java }, 'leadership')).toEqual([])
  })

  it('gives up the office in a transaction of its own, which a deleted instance node cannot fail', () => {
    const [office, instance, ...more] = departure({ instances: [x, y], leader: x }, 'everything')
    expect(office?.at(-1)).toMatch(/^delete .*leader\/election\/instance$/)
    expect(instance).toEqual([`delete instances/${x}`])
    expect(more).toEqual([])
  })

  it('stays an instance beside Java while its runs end', () => {
    const transactions = departure({ instances: [x, java], leader: x }, 'leadership')
    expect(transactions).toHaveLength(1)
    expect(transactions.flat().join()).not.toContain(`instances/${x}`)
  })

  it('asks for a resharding before it goes if its node was deleted first, as Java’s tools do it', () => {
    const [request, office] = departure({ instances: [java], leader: x }, 'leadership')
    expect(request?.at(-1)).toMatch(/^create .*sharding\/necessary$/)
    expect(office?.at(-1)).toMatch(/^delete .*leader\/election\/instance$/)
  })
})
