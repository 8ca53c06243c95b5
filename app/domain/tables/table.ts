/** What a file that is imported may hold: a table whose first line names its columns. */

/** `labels` are the columns as people call them; a heading may also use their names. */
export type TableShape<Column extends string> = {
  labels: Readonly<Record<Column, string>>
  needed: readonly NoInfer<Column>[]
  ignored: readonly string[]
  maxRows: number
}

/** `problem`: why its cells cannot be told apart. */
export type TableRow<Column extends string> = {
  line: number
  cells: Partial<Record<Column, string>>
  problem?: string | undefined
}

/** Nothing more can be read from this line on. */
export class UnreadableTable extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}
