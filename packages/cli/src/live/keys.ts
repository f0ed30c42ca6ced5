/** The keys that end a view: q and Ctrl-C, because a terminal in raw mode sends no signal. */
import type { ReadStream } from 'node:tty'

import type { Terminal } from '../terminal.ts'

const leaveKeys: readonly string[] = ['q', 'Q', '\u0003', '\u0004']

/** Calls back on such a key; the returned function restores the keyboard. */
export function onLeaveKey({ stdin, isInteractive }: Terminal, leave: () => void): () => void {
  if (!isInteractive) return () => {}
  const keyboard = stdin as ReadStream
  const pressed = (keys: Buffer): void => {
    if (leaveKeys.some((key) => keys.includes(key))) leave()
  }
  keyboard.setRawMode(true)
  keyboard.on('data', pressed)
  keyboard.resume()
  return () => {
    keyboard.off('data', pressed)
    keyboard.setRawMode(false)
    keyboard.pause()
  }
}
