import { validateHeaderValue } from 'node:http'

import fc from 'fast-check'
import { expect, test } from 'vitest'

import {
  shardingContextHeader,
  shardingContextJson,
} from '../../src/job-types/sharding-context-json.ts'
import { shardContext } from './support/contexts.ts'

test("has Java's fields in Java's order", () => {
  expect(shardingContextJson(shardContext())).toBe(
    '{"jobName":"sync-orders","taskId":"sync-orders@-@0,1@-@READY@-@10.0.0.1@-@4711",' +
      '"shardingTotalCount":2,"jobParameter":"all","shardingItem":0,"shardingParameter":"Beijing"}',
  )
})

test('has no parameter where the shard has none', () => {
  const json = shardingContextJson(shardContext({ shardingParameter: undefined }))
  expect(JSON.parse(json)).not.toHaveProperty('shardingParameter')
})

test('is fit for a header, and says the same, whatever the parameters are', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (jobParameter) => {
      const context = shardContext({ jobParameter })
      const header = shardingContextHeader(context)
      expect(() => validateHeaderValue('shardingContext', header)).not.toThrow()
      expect(header).toMatch(/^[\x20-\x7e]*$/)
      expect(JSON.parse(header)).toEqual(JSON.parse(shardingContextJson(context)))
    }),
  )
})
