import { createHash, timingSafeEqual } from 'node:crypto'

import { ZooKeeperError } from '../errors.ts'
import type { Random } from '../random.ts'

/** A user of the servers' SASL DIGEST-MD5 configuration. */
export interface SaslCredentials {
  readonly username: string
  readonly password: string
}

/** The names that ZooKeeper's servers and clients use for this mechanism. */
const digestUri = 'zookeeper/zk-sasl-md5'

/** One authentication exchange after RFC 2831, for the `auth` quality of protection. */
export class DigestMd5Exchange {
  readonly #credentials: SaslCredentials
  readonly #random: Random
  #expectedProof: string | undefined

  constructor(credentials: SaslCredentials, random: Random) {
    this.#credentials = credentials
    this.#random = random
  }

  /** Answers a server's challenge; returns undefined once the server has authenticated itself. */
  answer(challenge: Uint8Array): Uint8Array | undefined {
    const directives = parseDirectives(Buffer.from(challenge).toString('utf8'))
    const proof = directives.get('rspauth')
    if (proof !== undefined) {
      this.#verify(proof)
      return undefined
    }
    return this.#respond(directives)
  }

  #respond(challenge: ReadonlyMap<string, string>): Uint8Array {
    const nonce = challenge.get('nonce')
    if (nonce === undefined || challenge.get('algorithm') !== 'md5-sess') {
      throw failed('the server did not send a DIGEST-MD5 challenge')
    }
    const qop = challenge.get('qop') ?? 'auth'
    if (!qop.split(',').includes('auth'))
      throw failed(`the server offers only "${qop}", not "auth"`)
    const realm = challenge.get('realm') ?? ''
    const cnonce = Buffer.from(this.#random.bytes(24)).toString('base64')
    const { username, password } = this.#credentials
    const secret = md5(`${username}:${realm}:${password}`)
    const sessionKey = md5(Buffer.concat([secret, Buffer.from(`:${nonce}:${cnonce}`)]))
    const proofFor = (method: string): string =>
      hex(
        md5(
          `${hex(sessionKey)}:${nonce}:00000001:${cnonce}:auth:${hex(md5(`${method}:${digestUri}`))}`,
        ),
      )
    this.#expectedProof = proofFor('')
    const response = [
      'charset=utf-8',
      `username=${quoted(username)}`,
      `realm=${quoted(realm)}`,
      `nonce=${quoted(nonce)}`,
      'nc=00000001',
      `cnonce=${quoted(cnonce)}`,
      `digest-uri=${quoted(digestUri)}`,
      'maxbuf=65536',
      `response=${proofFor('AUTHENTICATE')}`,
      'qop=auth',
    ]
    return Buffer.from(response.join(','))
  }

  #verify(proof: string): void {
    const expected = Buffer.from(this.#expectedProof ?? '')
    const given = Buffer.from(proof)
    if (expected.length === 0 || expected.length !== given.length) {
      throw failed('the server did not prove that it knows the password')
    }
    if (!timingSafeEqual(expected, given)) {
      throw failed('the server did not prove that it knows the password')
    }
  }
}

/** Parses `name=value,name="quoted value"`. */
function parseDirectives(text: string): Map<string, string> {
  const directives = new Map<string, string>()
  const pattern = /([a-z-]+)=(?:"((?:[^"\\]|\\.)*)"|([^",]*))/gi
  for (const [, name, quotedValue, plainValue] of text.matchAll(pattern)) {
    const value = quotedValue?.replaceAll(/\\(.)/g, '$1') ?? plainValue ?? ''
    directives.set((name as string).toLowerCase(), value)
  }
  return directives
}

function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

function md5(input: string | Buffer): Buffer {
  return createHash('md5').update(input).digest()
}

function hex(bytes: Buffer): string {
  return bytes.toString('hex')
}

function failed(reason: string): ZooKeeperError {
  return new ZooKeeperError('ZK_AUTH_FAILED', `SASL DIGEST-MD5: ${reason}`, { operation: 'sasl' })
}
