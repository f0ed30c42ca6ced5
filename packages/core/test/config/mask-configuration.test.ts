import { describe, expect, it } from 'vitest'

import {
  maskConfiguration,
  maskTree,
  maskYaml,
  restoreSecrets,
} from '../../src/config/mask-configuration.ts'
import { readJob } from '../../src/config/read-job.ts'

describe('maskYaml', () => {
  it.each([
    ['email.password: abc\nlabel: x\n', "email.password: '******'\nlabel: x\n"],
    ["props:\n  dingtalk.secret: 'a b'\n  a: b\n", "props:\n  dingtalk.secret: '******'\n  a: b\n"],
    ['password: |-\n  two\n  lines\nlabel: x\n', "password: '******'\nlabel: x\n"],
    ['password: plain\n  that goes on\nlabel: x\n', "password: '******'\nlabel: x\n"],
    [
      '{"props":{"wechat.webhook":"https://x?key=1","a":"b"}}',
      `{"props":{"wechat.webhook":'******',"a":"b"}}`,
    ],
    [
      'jobExtraConfigurations:\n- !!a.B\n  props:\n    password: p\n    username: u\n',
      "jobExtraConfigurations:\n- !!a.B\n  props:\n    password: '******'\n    username: u\n",
    ],
    ['tokens:\n- a\n- b\nlabel: x\n', "tokens:\n'******'\nlabel: x\n"],
    ['password:\nlabel: x\n', 'password:\nlabel: x\n'],
    ['"pass\\x77ord": planted\n', `"pass\\x77ord": '******'\n`],
    ['a: &x planted\npassword: *x\n', "a: &x '******'\npassword: *x\n"],
    [
      'jobParameter: x=1 https://u:planted@h/\nlabel: x\n',
      'jobParameter: "x=1 https://******@h/"\nlabel: x\n',
    ],
    ['jobParameter: \'{"api.key": "planted"}\'\n', `jobParameter: "{\\"api.key\\": '******'}"\n`],
  ])('masks %j', (text, masked) => {
    expect(maskYaml(text)).toBe(masked)
  })

  it('leaves a text without secrets to the letter', () => {
    const text = 'jobName: job\ncron: 0/5 * * * * ?   # often\n'
    expect(maskYaml(text)).toBe(text)
  })

  it('shows a text that is not YAML up to the first line with a secret', () => {
    expect(maskYaml('{a: "x\nb.password: y\n  planted\n- c')).toBe('{a: "x\n******')
  })

  it('masks a text that is nested too deep to be parsed', () => {
    expect(maskYaml(`password: ${'['.repeat(20_000)}planted`)).toBe('******')
  })
})

const stored = readJob(
  [
    'jobName: job',
    'shardingTotalCount: 1',
    'jobParameter: url=postgresql://me:planted@db/x',
    'jobExtraConfigurations:',
    '- !!org.x.YamlTracingConfiguration',
    '  tracingStorageConfiguration:',
    '    props: {password: planted, username: me}',
    'props:',
    '  email.password: "pla\\"nted"',
    '  db.passwd: planted',
    '  api.key: planted',
    '  a: b',
    '',
  ].join('\n'),
  'a test',
).configuration

it('maskConfiguration masks secrets wherever a configuration may have one', () => {
  const masked = maskConfiguration(stored)
  expect(JSON.stringify(masked)).not.toMatch(/planted|nted/)
  expect(masked.props).toEqual({
    'email.password': '******',
    'db.passwd': '******',
    'api.key': '******',
    a: 'b',
  })
  expect(masked.jobParameter).toBe('url=postgresql://******@db/x')
  expect(masked.jobExtraConfigurations[0]).toContain('username: me')
})

it('maskTree masks a secret that stands under another name as well', () => {
  expect(maskTree({ also: 'planted', 'db.passwd': 'planted', other: 'x' })).toEqual({
    also: '******',
    'db.passwd': '******',
    other: 'x',
  })
})

it('maskTree masks lists and mappings below the name of a secret', () => {
  expect(maskTree({ tokens: ['a'], password: { x: 1 }, hasPassword: true, secret: '' })).toEqual({
    tokens: '******',
    password: '******',
    hasPassword: true,
    secret: '',
  })
})

describe('restoreSecrets', () => {
  const { props, jobParameter } = maskConfiguration(stored)

  it('takes a value that is as it was shown for the stored one', () => {
    const changes = { jobParameter, description: 'new', props: { ...props, a: 'c' } }
    expect(restoreSecrets(changes, stored)).toEqual({
      jobParameter: stored.jobParameter,
      description: 'new',
      props: { ...stored.props, a: 'c' },
    })
  })

  it('takes a new value for a new value', () => {
    const changes = { props: { 'email.password': 'new' }, cron: undefined }
    expect(restoreSecrets(changes, stored)).toEqual(changes)
  })

  it('refuses a mask in a value that was shown otherwise', () => {
    expect(() =>
      restoreSecrets(
        { jobParameter: 'url=postgresql://******@other/x', props: { b: '******' } },
        stored,
      ),
    ).toThrow(/jobParameter: has "\*{6}" in it.*\n {2}b: has/)
  })
})
