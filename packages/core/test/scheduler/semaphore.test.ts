import { describe, expect, it } from 'vitest'

import { Semaphore } from '../../src/scheduler/semaphore.ts'

/** Lets everything happen that waits for promises alone. */
function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

async function take(slots: Semaphore): Promise<void> {
  if (!slots.tryTake()) await slots.wait()
}

/** Takes a slot for each, and says who has one. */
async function takeAll(slots: Semaphore, names: string): Promise<string[]> {
  const admitted: string[] = []
  for (const name of names) void take(slots).then(() => admitted.push(name))
  await settle()
  return admitted
}

describe('Slots', () => {
  it('has room for everybody without a limit', async () => {
    expect(await takeAll(new Semaphore(Infinity), 'abcdef')).toHaveLength(6)
  })

  it('lets so many in at once, and the others in the order they came', async () => {
    const slots = new Semaphore(2)
    const admitted = await takeAll(slots, 'abcd')
    expect(admitted).toEqual(['a', 'b'])
    slots.free()
    await settle()
    expect(admitted).toEqual(['a', 'b', 'c'])
    slots.free()
    slots.free()
    await settle()
    expect(admitted).toEqual(['a', 'b', 'c', 'd'])
  })

  it('a larger limit holds at once', async () => {
    const slots = new Semaphore(1)
    const admitted = await takeAll(slots, 'abcd')
    slots.resize(3)
    await settle()
    expect(admitted).toEqual(['a', 'b', 'c'])
  })

  it('a smaller limit holds as runs end', async () => {
    const slots = new Semaphore(3)
    const admitted = await takeAll(slots, 'abcd')
    slots.resize(1)
    slots.free()
    slots.free()
    await settle()
    expect(admitted).toEqual(['a', 'b', 'c'])
    slots.free()
    await settle()
    expect(admitted).toEqual(['a', 'b', 'c', 'd'])
  })

  it('who comes while others wait does not overtake them', async () => {
    const slots = new Semaphore(1)
    const admitted = await takeAll(slots, 'ab')
    slots.free()
    void take(slots).then(() => admitted.push('c'))
    await settle()
    expect(admitted).toEqual(['a', 'b'])
  })
})
