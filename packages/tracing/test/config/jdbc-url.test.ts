import { expect, test } from 'vitest'

import { historyUrlOf } from '../../src/config/jdbc-url.ts'

test.for([
  ['jdbc:mysql://db:3306/jobs?useSSL=false&serverTimezone=UTC', 'mysql://me:p%40%3A@db:3306/jobs'],
  ['jdbc:mariadb://db/jobs', 'mysql://me:p%40%3A@db/jobs'],
  ['jdbc:mysql://a:3306,b:3307/jobs', 'mysql://me:p%40%3A@a:3306/jobs'],
  [
    'jdbc:postgresql://db:5432/jobs?sslmode=require&ApplicationName=x',
    'postgresql://me:p%40%3A@db:5432/jobs?sslmode=require',
  ],
  ['jdbc:sqlite:/var/lib/history.db', 'sqlite:/var/lib/history.db'],
] as const)('%s', ([url, expected]) => {
  expect(historyUrlOf({ url, username: 'me', password: 'p@:' })).toEqual({ url: expected })
})

test('historyUrlOf takes user and password from the URL', () => {
  const url = 'jdbc:postgresql://db/jobs?user=me&password=secret'
  expect(historyUrlOf({ url })).toEqual({ url: 'postgresql://me:secret@db/jobs' })
})

test.for([
  ['jdbc:h2:mem:jobs', /not h2/],
  ['jdbc:oracle:thin:@db:1521:jobs', /not oracle/],
  ['db:3306', /not this URL/],
  ['jdbc:mysql://[/jobs', /is invalid/],
] as const)('%s cannot be used, and why', ([url, reason]) => {
  expect(historyUrlOf({ url }).reason).toMatch(reason)
})
