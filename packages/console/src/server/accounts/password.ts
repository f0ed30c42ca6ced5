/** Passwords as they are kept: scrypt, with a salt of each one's own. */
import { scrypt, timingSafeEqual } from 'node:crypto'

import type { Random } from '@elasticjob/core'

import { passwordCost } from './password-cost.ts'

const cost = { ...passwordCost, maxmem: 256 * 1024 * 1024 }
const keyBytes = 32
const saltBytes = 16

/** Letters and digits that nobody takes for another one. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'
const generatedLength = 20

export async function hashPassword(password: string, random: Random): Promise<string> {
  const salt = Buffer.from(random.bytes(saltBytes))
  const key = await derive(password, salt)
  return `scrypt$${cost.N}$${cost.r}$${cost.p}$${salt.toString('base64')}$${key.toString('base64')}`
}

/** Whether a password was hashed with other parameters than today's. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(`scrypt$${cost.N}$${cost.r}$${cost.p}$`)
}

/** Derived where there is no such account, so that nobody can tell by the time it takes. */
export const nobodysPassword = `scrypt$${cost.N}$${cost.r}$${cost.p}$${'A'.repeat(22)}==$${'A'.repeat(43)}=`

/** False for what is not a hash at all. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [scheme, n, r, p, salt = '', key = ''] = stored.split('$')
  if (scheme !== 'scrypt') return false
  const expected = Buffer.from(key, 'base64')
  const actual = await derive(password, Buffer.from(salt, 'base64'), {
    ...cost,
    N: Number(n),
    r: Number(r),
    p: Number(p),
  })
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

/** One that nobody can guess and everybody can type: 100 bits in four groups. */
export function newPassword(random: Random): string {
  // 32 letters: every byte stands for one of them, none more often than another.
  const letters = [...random.bytes(generatedLength)].map((byte) => alphabet[byte % 32]).join('')
  return (letters.match(/.{5}/g) as string[]).join('-')
}

function derive(
  password: string,
  salt: Buffer,
  parameters: { N: number; r: number; p: number; maxmem: number } = cost,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, keyBytes, parameters, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}
