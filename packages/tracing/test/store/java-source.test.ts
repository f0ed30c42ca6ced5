import { expect, test } from 'vitest'

import { javaSourceOf } from '../../src/store/java-source.ts'

test.for([
  ['cron', 'NORMAL_TRIGGER'],
  ['trigger', 'NORMAL_TRIGGER'],
  ['misfire', 'MISFIRE'],
  ['failover', 'FAILOVER'],
] as const)('%s is %s in Java', ([source, java]) => {
  expect(javaSourceOf(source)).toBe(java)
})
