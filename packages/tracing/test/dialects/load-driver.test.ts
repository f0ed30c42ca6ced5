import { expect, test } from 'vitest'

import { loadDriver } from '../../src/dialects/load-driver.ts'

test('loadDriver names a missing driver with the command that installs it', async () => {
  const absent = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
  const loading = loadDriver('PostgreSQL', 'pg', () => Promise.reject(absent))
  await expect(loading).rejects.toMatchObject({
    code: 'HISTORY_DRIVER_MISSING',
    message: 'A history in PostgreSQL needs the package pg: npm install pg',
  })
})

test('loadDriver passes on the error of a driver that fails to load', async () => {
  const broken = new SyntaxError('broken')
  await expect(loadDriver('MySQL', 'mysql2', () => Promise.reject(broken))).rejects.toBe(broken)
})
