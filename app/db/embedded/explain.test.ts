import { expect, it } from 'vitest'
import { explain } from './explain.server.ts'

const failure = (text: string, more: object = {}) => Object.assign(new Error(text), more)

it.each([
  ['a full disk', failure('write', { code: 'ENOSPC' }), 'The disk is full'],
  [
    'a full disk, as initdb reports it',
    failure('Command failed', { stderr: 'initdb: error: could not write file "x": No space left on device' }),
    'The disk is full',
  ],
  [
    'a full disk, as the server reports it',
    failure('ended', {
      stderr: 'FATAL:  could not write lock file "postmaster.pid": No space left on device',
    }),
    'The disk is full',
  ],
  ['a disk that cannot be written to', failure('mkdir', { code: 'EROFS' }), 'cannot be written to'],
  [
    'a folder of another user',
    failure('mkdir', { code: 'EACCES' }),
    'may not write to its data folder /data',
  ],
  [
    'data of another user',
    failure('ended', { stderr: 'FATAL:  data directory "/data/postgres" has wrong ownership' }),
    'may not write to its data folder /data',
  ],
  [
    'a file in place of the folder',
    failure('mkdir', { code: 'ENOTDIR', path: '/data' }),
    'DATA_DIR has to be a folder, and /data is none.',
  ],
  [
    'another failure, in the words of the server without its hints',
    failure('ended', { stderr: 'LOG:  starting\nFATAL:  the roof is on fire\nHINT:  run\n' }),
    'The database in /data did not start: FATAL:  the roof is on fire',
  ],
])('The message of a failed start explains %s', (_case, error, sentence) => {
  const explained = explain('/data', error)
  expect(explained.message).toContain(sentence)
  expect(explained.cause).toBe(error)
})
