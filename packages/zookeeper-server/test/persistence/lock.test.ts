import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import {
  lockDirectory,
  machineProcesses,
  type Processes,
  type ProcessIdentity,
} from '../../src/persistence/lock.ts'
import { lockName } from '../../src/persistence/names.ts'
import { MemoryDisk } from './support/disk.ts'

/** Processes of which only the given ones run. */
function processes(self: ProcessIdentity, running: ProcessIdentity[]): Processes {
  return {
    self: async () => self,
    isRunning: async ({ pid, start }) =>
      running.some((each) => each.pid === pid && each.start === start),
  }
}

const one = { pid: 1, start: '10' }
const two = { pid: 2, start: '20' }

test('lockDirectory gives a directory to one process until it is released', async () => {
  const disk = new MemoryDisk()
  const lock = await lockDirectory(disk, processes(one, [one, two]))
  await expect(lockDirectory(disk, processes(two, [one, two]))).rejects.toMatchObject({
    code: 'ZKS_DATA_DIR_LOCKED',
    file: lockName(1, '10'),
    message: expect.stringContaining('pid 1') as string,
  })
  await expect(lockDirectory(disk, processes(one, [one, two]))).rejects.toMatchObject({
    code: 'ZKS_DATA_DIR_LOCKED',
  })
  await lock.release()
  expect(await disk.list()).toEqual([])
  const other = await lockDirectory(disk, processes(two, [one, two]))
  expect(other.inheritedFrom).toEqual([])
  await other.release()
})

test('lockDirectory: releasing a removed lock succeeds', async () => {
  const disk = new MemoryDisk()
  const lock = await lockDirectory(disk, processes(one, [one]))
  await disk.remove(lockName(1, '10'))
  await lock.release()
  expect(await disk.list()).toEqual([])
})

test('lockDirectory takes over the lock of a dead process', async () => {
  const disk = new MemoryDisk()
  await lockDirectory(disk, processes(one, [one]))
  const lock = await lockDirectory(disk, processes(two, [two]))
  expect(lock.inheritedFrom).toEqual([1])
  expect(await disk.list()).toEqual([lockName(2, '20')])
})

test('lockDirectory ignores the lock of a dead process whose pid was reused', async () => {
  const disk = new MemoryDisk()
  await lockDirectory(disk, processes(one, [one]))
  const successor = { pid: 1, start: '11' }
  const lock = await lockDirectory(disk, processes(successor, [successor]))
  expect(lock.inheritedFrom).toEqual([1])
  expect(await disk.list()).toEqual([lockName(1, '11')])
})

test('lockDirectory: of many concurrent callers at most one succeeds', async () => {
  const disk = new MemoryDisk()
  const all = Array.from({ length: 5 }, (_, i) => ({ pid: i + 1, start: '1' }))
  const locks = await Promise.allSettled(
    all.map((each) => lockDirectory(disk, processes(each, all))),
  )
  const held = locks.filter(({ status }) => status === 'fulfilled')
  expect(held.length).toBeLessThanOrEqual(1)
  expect(await disk.list()).toHaveLength(held.length)
})

test('machineProcesses reports which processes run', async () => {
  const self = await machineProcesses.self()
  expect(self.pid).toBe(process.pid)
  expect(await machineProcesses.isRunning(self)).toBe(true)

  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  expect(await machineProcesses.isRunning({ pid: child.pid as number, start: '1' })).toBe(false)
})

test.runIf(process.platform === 'linux')(
  'machineProcesses distinguishes a process from its successors',
  async () => {
    const { pid, start } = await machineProcesses.self()
    expect(start).toMatch(/^[0-9]+-[0-9a-f]{8}$/)
    expect(await machineProcesses.isRunning({ pid, start: '1-00000000' })).toBe(false)
    expect(await machineProcesses.isRunning({ pid, start: '0' })).toBe(true)
  },
)

async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1')
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'latin1')
  return `${stat.split(') ')[1]?.split(' ')[19]}-${boot.slice(0, 8)}`
}

test.runIf(process.platform === 'linux')(
  'a process that nobody took note of has ended',
  async () => {
    // The parent becomes a program that never reaps its children.
    const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'])
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(line.toString())
    const start = await startOf(pid)
    await expect
      .poll(() => machineProcesses.isRunning({ pid, start }), { timeout: 10_000 })
      .toBe(false)
    expect(() => process.kill(pid, 0)).not.toThrow()
    parent.kill('SIGKILL')
    await once(parent, 'exit')
  },
)
