import { expect, test } from 'vitest'

import { dataflowSettingsOf, fetchDataCountOf } from '../../../src/job-types/dataflow/settings.ts'

test('without props a dataflow fetches once, for each shard, and processes in one call', () => {
  expect(dataflowSettingsOf({})).toEqual({ mode: undefined, streaming: false, concurrency: 1 })
  expect(fetchDataCountOf({})).toBe(1)
})

test('props say how it runs', () => {
  expect(
    dataflowSettingsOf({
      'streaming.process': 'TRUE',
      'dataflow.mode': 'THROUGHPUT',
      'concurrent.data.process.thread.count': '4',
    }),
  ).toEqual({ mode: 'THROUGHPUT', streaming: true, concurrency: 4 })
  expect(fetchDataCountOf({ 'fetch.data.count': '50' })).toBe(50)
})

test('what must keep its order is not split', () => {
  const props = { 'dataflow.mode': 'SEQUENCE', 'concurrent.data.process.thread.count': '4' }
  expect(dataflowSettingsOf(props).concurrency).toBe(1)
})

test('all that is wrong is named', () => {
  const props = {
    'streaming.process': 'yes',
    'dataflow.mode': 'sequence',
    'concurrent.data.process.thread.count': '0',
    'fetch.data.count': 'x',
  }
  expect(() => dataflowSettingsOf(props)).toThrow(
    expect.objectContaining({
      code: 'JOB_CONFIGURATION_INVALID',
      problems: Object.keys(props).map((key) => ({ key, message: expect.any(String) as string })),
    }),
  )
  expect(fetchDataCountOf(props)).toBe(1)
})
