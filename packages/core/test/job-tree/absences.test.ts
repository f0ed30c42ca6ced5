import { describe, expect, it } from 'vitest'

import { Absences, javaGrace } from '../../src/job-tree/absences.ts'
import { availableInstances, isDead, isMixed } from '../../src/job-tree/job-view.ts'
import { java, viewOf, x } from '../tree.ts'

const now = 1_000_000
const other = '10.0.0.8@-@88'

describe('Absences', () => {
  it('an instance of Java is dead when it has been away for three seconds', () => {
    const absences = new Absences()
    absences.left(java, now)
    expect(absences.settle(now + javaGrace - 1)).toBe(now + javaGrace)
    expect(absences.all.get(java)).toEqual({ since: now, isFinal: false })
    expect(absences.settle(now + javaGrace)).toBeUndefined()
    expect(absences.all.get(java)).toEqual({ since: now, isFinal: true })
  })

  it('one that comes back in time has left a gap, and nothing else', () => {
    const absences = new Absences()
    absences.returned(java, now)
    expect(absences.gaps.size).toBe(0)
    absences.left(java, now)
    absences.returned(java, now + 100)
    absences.settle(now + javaGrace)
    expect(absences.all.size).toBe(0)
    expect([...absences.gaps]).toEqual([[java, { since: now, until: now + 100 }]])
  })

  it('one that comes back too late has left none: others have run what it would have', () => {
    const absences = new Absences()
    absences.left(java, now)
    absences.settle(now + javaGrace)
    absences.returned(java, now + javaGrace)
    expect(absences.gaps.size).toBe(0)
  })

  it('counts from the first time it was missed, however often it is named', () => {
    const absences = new Absences()
    absences.left(java, now)
    absences.left(java, now + 2000)
    absences.settle(now + javaGrace)
    expect(absences.all.get(java)?.isFinal).toBe(true)
  })

  it('of several, each has its own time', () => {
    const absences = new Absences()
    absences.left(java, now)
    absences.left(other, now + 1000)
    expect(absences.settle(now + javaGrace)).toBe(now + 1000 + javaGrace)
    expect(absences.all.get(other)?.isFinal).toBe(false)
  })

  it('knows nothing of ours, whose ids never come back', () => {
    const absences = new Absences()
    absences.left(x, now)
    expect(absences.all.size).toBe(0)
    expect(absences.settle(now)).toBeUndefined()
  })

  it('forgets those who went long ago when another goes', () => {
    const absences = new Absences()
    absences.left(java, now)
    absences.settle(now + javaGrace)
    absences.left(other, now)
    absences.returned(other, now + 1)
    absences.left(other, now + 2 * 3_600_000)
    expect([...absences.all.keys()]).toEqual([other])
    expect(absences.gaps.size).toBe(0)
  })
})

describe('an instance of Java that is away', () => {
  const owners = [x, java]
  const away = viewOf({
    instances: [x],
    owners,
    absent: { [java]: { since: now, isFinal: false } },
  })
  const dead = viewOf({ instances: [x], owners, absent: { [java]: { since: now, isFinal: true } } })

  it('is available and not dead, until it has been away for too long', () => {
    expect(availableInstances(away)).toEqual([java, x])
    expect(isDead(away, java)).toBe(false)
    expect(availableInstances(dead)).toEqual([x])
    expect(isDead(dead, java)).toBe(true)
  })

  it('keeps the job mixed, also when nothing else names it', () => {
    const alone = { instances: [x], owners: [x] }
    expect(isMixed(viewOf({ ...alone, absent: { [java]: { since: now, isFinal: false } } }))).toBe(
      true,
    )
    expect(isMixed(viewOf({ ...alone, absent: { [java]: { since: now, isFinal: true } } }))).toBe(
      false,
    )
  })

  it('is not available on a server that is disabled', () => {
    const servers = { '10.0.0.9': 'DISABLED' }
    const view = viewOf({
      instances: [x],
      servers,
      absent: { [java]: { since: now, isFinal: false } },
    })
    expect(availableInstances(view)).toEqual([x])
  })
})
