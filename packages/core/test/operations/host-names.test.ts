import { expect, it } from 'vitest'

import { hostNamesOf, reverseLookup } from '../../src/operations/host-names.ts'

it('finds the names of those that have one, a few at a time', async () => {
  let underWay = 0
  let most = 0
  const ips = [...Array(50).keys()].map((n) => `10.0.0.${n}`)
  const names = await hostNamesOf(ips, async (ip) => {
    underWay += 1
    most = Math.max(most, underWay)
    await Promise.resolve()
    underWay -= 1
    return ip.endsWith('0') ? undefined : `host-${ip}`
  })
  expect(names.size).toBe(45)
  expect(names.get('10.0.0.1')).toBe('host-10.0.0.1')
  expect(most).toBeLessThanOrEqual(16)
})

it('has no name for what is no address', async () => {
  expect(await reverseLookup('nowhere')).toBeUndefined()
})
