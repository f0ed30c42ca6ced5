import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { ProcessGroup } from '../../../src/job-types/script/process-group.ts'

async function startedGroup(): Promise<{ readonly id: number; readonly ended: Promise<unknown> }> {
  const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
  const ended = once(child, 'exit')
  await once(child, 'spawn')
  return { id: Number(child.pid), ended }
}

test('a group is alive until its last member has ended', async () => {
  const { id, ended } = await startedGroup()
  const group = new ProcessGroup(id)
  expect(group.isAlive()).toBe(true)
  group.signal('SIGKILL')
  await ended
  expect(group.isAlive()).toBe(false)
})

test('a group that is gone is not signalled: its number may be that of another', async () => {
  const { id, ended } = await startedGroup()
  const group = new ProcessGroup(id)
  group.signal('SIGKILL')
  await ended
  group.isAlive()
  const kill = vi.spyOn(process, 'kill')
  onTestFinished(() => kill.mockRestore())
  group.signal('SIGKILL')
  expect(group.isAlive()).toBe(false)
  expect(kill).not.toHaveBeenCalled()
})

const hasZombies = process.platform === 'linux' && existsSync('/bin/bash')

describe.runIf(hasZombies)('a group of zombies', () => {
  test('is gone, although it can be signalled', async () => {
    // bash gives its job a group, and becomes a program that never looks after its children.
    const program = `set -m; cat <&3 & exec sh -c "echo $!; exec sleep 60" 3<&-`
    const parent = spawn('/bin/bash', ['-c', program], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    })
    onTestFinished(() => void parent.kill('SIGKILL'))
    const [line] = (await once(createInterface(parent.stdio[1] as Readable), 'line')) as [string]
    const id = Number(line)
    const group = new ProcessGroup(id)
    expect(group.isAlive()).toBe(true)
    const input = parent.stdio[3] as Writable
    input.end()
    await vi.waitFor(() => expect(group.isAlive()).toBe(false))
    expect(process.kill(-id, 0)).toBe(true)
  })
})
