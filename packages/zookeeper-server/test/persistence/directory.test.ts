import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { machineDirectory, publishFile } from '../../src/persistence/directory.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'elasticjob-directory-'))
})

afterEach(() => rm(root, { recursive: true }))

test('machineDirectory: make() creates all parents', async () => {
  const path = join(root, 'a', 'b')
  const directory = machineDirectory(path)
  await directory.make()
  await directory.make()
  expect(await directory.list()).toEqual([])
})

test('machineDirectory reads and writes files at any position', async () => {
  const directory = machineDirectory(root)
  const file = await directory.open('it', 'create')
  await file.write(Buffer.from('hello world'), 0)
  await file.write(Buffer.from('W'), 6)
  await file.truncate(9)
  await file.sync()
  await file.close()
  const again = await directory.open('it', 'read')
  const target = Buffer.alloc(100)
  expect(await again.size()).toBe(9)
  expect(await again.read(target, 3)).toBe(6)
  expect(target.toString('latin1', 0, 6)).toBe('lo Wor')
  await again.close()
})

test('machineDirectory refuses to create an existing file and to open a missing one', async () => {
  const directory = machineDirectory(root)
  await (await directory.open('it', 'create')).close()
  await expect(directory.open('it', 'create')).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(directory.open('other', 'write')).rejects.toMatchObject({ code: 'ENOENT' })
  await directory.remove('it')
  await directory.sync()
  await expect(directory.open('it', 'read')).rejects.toMatchObject({ code: 'ENOENT' })
})

test('publishFile creates a file completely or not at all', async () => {
  const directory = machineDirectory(root)
  await publishFile(directory, 'it', async (file) => {
    await file.write(Buffer.from('all'), 0)
    expect(await readdir(root)).toEqual(['it.tmp'])
  })
  expect(await readFile(join(root, 'it'), 'utf8')).toBe('all')

  const failing = publishFile(directory, 'other', async (file) => {
    await file.write(Buffer.from('half'), 0)
    throw new Error('that was it')
  })
  await expect(failing).rejects.toThrow('that was it')
  expect(await readdir(root)).toEqual(['it'])
})

test.skipIf(process.platform === 'win32')(
  'machineDirectory: only the owner can access the files',
  async () => {
    const path = join(root, 'a')
    const directory = machineDirectory(path)
    await directory.make()
    await (await directory.open('it', 'create')).close()
    expect((await stat(path)).mode & 0o777).toBe(0o700)
    expect((await stat(join(path, 'it'))).mode & 0o777).toBe(0o600)
  },
)
