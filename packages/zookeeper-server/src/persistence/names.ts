/** What a name in a data directory says. Zxids are written so that names sort as they do. */
export type Name =
  /** The log from this transaction on. */
  | { readonly kind: 'log'; readonly zxid: number }
  /** The state after this transaction. */
  | { readonly kind: 'snapshot'; readonly zxid: number }
  /** A snapshot that was found damaged and could be done without. */
  | { readonly kind: 'setAside' }
  /** A process that uses the directory. `start` tells it from others that got the same pid. */
  | { readonly kind: 'lock'; readonly pid: number; readonly start: string }
  /** Something that was not finished. */
  | { readonly kind: 'temporary' }

const numbered = /^(log|snapshot)\.([0-9a-f]{14})$/
const setAside = /^snapshot\.[0-9a-f]{14}\.damaged$/
const lock = /^lock\.([1-9][0-9]{0,9})\.([0-9a-f-]{1,40})$/
const temporary = /^(log|snapshot)\.[0-9a-f]{14}\.tmp$/

export function logName(firstZxid: number): string {
  return `log.${inHex(firstZxid)}`
}

export function snapshotName(zxid: number): string {
  return `snapshot.${inHex(zxid)}`
}

export function setAsideName(snapshot: string): string {
  return `${snapshot}.damaged`
}

export function temporaryName(name: string): string {
  return `${name}.tmp`
}

export function lockName(pid: number, start: string): string {
  return `lock.${pid}.${start}`
}

/** Answers nothing for a name that no server gives. */
export function parseName(name: string): Name | undefined {
  const [, kind, hex] = numbered.exec(name) ?? []
  if (hex !== undefined) {
    const zxid = Number.parseInt(hex, 16)
    if (!Number.isSafeInteger(zxid)) return undefined
    return { kind: kind === 'log' ? 'log' : 'snapshot', zxid }
  }
  const [, pid, start] = lock.exec(name) ?? []
  if (start !== undefined) return { kind: 'lock', pid: Number(pid), start }
  if (setAside.test(name)) return { kind: 'setAside' }
  return temporary.test(name) ? { kind: 'temporary' } : undefined
}

/** What the files are that a server gave their names. */
export function namesOf(files: readonly string[]): Name[] {
  return files.map(parseName).filter((name) => name !== undefined)
}

/** 14 digits hold every safe integer. */
function inHex(zxid: number): string {
  return zxid.toString(16).padStart(14, '0')
}
