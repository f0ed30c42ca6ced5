/** Password hashes: scrypt, with a separate salt for each password. */
import { scrypt, timingSafeEqual } from 'node:crypto'

import type { Random } from '@elasticjob/core'

import { passwordCost } from './password-cost.ts'

const cost = { ...passwordCost, maxmem: 256 * 1024 * 1024 }
const keyBytes = 32
const saltBytes = 16

/** Letters and digits without those that look alike. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'
const generatedLength = 20

export async function hashPassword(password: string, random: Random): Promise<string> {
  const salt = Buffer.from(random.bytes(saltBytes))
  const key = await derive(password, salt)
  return `scrypt$${cost.N}$${cost.r}$${cost.p}$${salt.toString('base64')}$${key.toString('base64')}`
}

/** Whether a password was hashed with parameters that are outdated. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(`scrypt$${cost.N}$${cost.r}$${cost.p}$`)
}

/** Derived for an unknown account, so that the response time does not reveal whether the account exists. */
export const nobodysPassword = `scrypt$${cost.N}$${cost.r}$${cost.p}$${'A'.repeat(22)}==$${'A'.repeat(43)}=`

/** False for a text that is not a hash. */
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

/** A password that cannot be guessed and is easy to type: 100 bits in four groups. */
export function newPassword(random: Random): string {
  // 32 letters: each byte maps to one of them, all with the same probability.
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
