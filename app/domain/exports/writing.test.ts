import { expect, it } from 'vitest'
import { readWorkbook } from '../workbook/workbook.server.ts'
import { tableOf } from './tables/table.ts'
import { bytesOf } from './writing.server.ts'

it('A workbook opens whatever characters an answer contains', async () => {
  const said = ['one\uFFFEtwo\uFFFF', 'a\u000Bb', '_x0041_', '=1+1', '😀']
  const table = tableOf<string>('Answers', [{ head: 'Answer\uFFFF', cell: (answer) => answer }], said)
  const pieces: Uint8Array[] = []
  for await (const piece of bytesOf('xlsx', table, () => {})) pieces.push(piece)
  const read = await readWorkbook(Buffer.concat(pieces), { rows: 10, characters: 1000 })
  const kept = ['Answer\uFFFD', 'one\uFFFDtwo\uFFFD', 'a\u000Bb', '_x0041_', '=1+1', '😀']
  expect(read).toEqual({ text: kept.map((cell) => `"${cell}"`).join('\n') })
})
