import { afterEach, describe, expect, it } from 'vitest'

import { findZone, isJavaTimeZone } from '../../src/cron/zone-names.ts'

const { TZ } = process.env
afterEach(() => {
  if (TZ === undefined) delete process.env['TZ']
  else process.env['TZ'] = TZ
})

describe('findZone', () => {
  it.each([
    ['GMT', 0],
    ['GMT0', 0],
    ['GMT+8', 8 * 3600],
    ['GMT+08:00', 8 * 3600],
    ['GMT+0800', 8 * 3600],
    ['GMT+830', 8.5 * 3600],
    ['GMT-3', -3 * 3600],
    ['GMT+23:59', 24 * 3600 - 60],
    ['UTC', 0],
    ['Etc/GMT+8', -8 * 3600],
    ['Asia/Kathmandu', 5.75 * 3600],
  ])('knows %s', (name, offset) => {
    expect(findZone(name)?.zone.wallOf(1_767_225_600)).toBe(1_767_225_600 + offset)
  })

  it.each(['', 'Mars/Olympus', 'GMT+24:00', 'GMT+8:0', 'GMT+08:60', 'GMTx', '+08:00', 'UTC+8'])(
    'does not know %j',
    (name) => {
      expect(findZone(name)).toBeUndefined()
    },
  )

  it('shares one table between all who ask', () => {
    expect(findZone('Europe/Berlin')?.zone).toBe(findZone('Europe/Berlin')?.zone)
  })

  it('takes the zone of the process without a name, and follows it', () => {
    process.env['TZ'] = 'Asia/Tokyo'
    expect(findZone(undefined)?.name).toBe('Asia/Tokyo')
    process.env['TZ'] = 'America/Lima'
    expect(findZone(undefined)?.name).toBe('America/Lima')
    process.env['TZ'] = 'Europe/Atlantis'
    expect(findZone(undefined)?.name).toBe('UTC')
  })
})

describe('isJavaTimeZone', () => {
  it.each(['GMT', 'GMT+08:00', 'GMT-3', 'GMT+0530'])('takes %s', (zone) => {
    expect(isJavaTimeZone(zone)).toBe(true)
  })

  it.each(['', 'UTC', 'Asia/Shanghai', 'Etc/GMT+8', 'gmt+8', 'GMT+24', 'GMT+8:0', 'GMTx'])(
    'does not take %j',
    (zone) => {
      expect(isJavaTimeZone(zone)).toBe(false)
    },
  )
})
