import { expect, test } from 'vitest'
import {
  dataDirectoryDefaults,
  resolveDataDirectoryOptions,
} from '../../src/persistence/options.ts'

test('data directory options: defaults are filled in', () => {
  expect(resolveDataDirectoryOptions({})).toEqual(dataDirectoryDefaults)
  expect(resolveDataDirectoryOptions({ fsync: false, keepSnapshots: Infinity })).toEqual({
    ...dataDirectoryDefaults,
    fsync: false,
    keepSnapshots: Infinity,
  })
})

test.for(['snapshotAfterTransactions', 'snapshotAfterBytes', 'keepSnapshots'])(
  '%s has to be a positive integer',
  (name) => {
    for (const value of [0, -1, 1.5, Number.NaN]) {
      expect(() => resolveDataDirectoryOptions({ [name]: value })).toThrow(
        expect.objectContaining({ code: 'ZKS_DATA_DIR_INVALID_OPTION' }),
      )
    }
  },
)
