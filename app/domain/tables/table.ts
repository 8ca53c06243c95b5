/** A table of an imported file, whose first line names its columns. */

/** `labels`: the names of columns on screen; a heading can also use the field names. */
export type TableShape<Column extends string> = {
  labels: Readonly<Record<Column, string>>
  needed: readonly NoInfer<Column>[]
  ignored: readonly string[]
  maxRows: number
}

/** `problem`: why its cells could not be separated. */
export type TableRow<Column extends string> = {
  line: number
  cells: Partial<Record<Column, string>>
  problem?: string | undefined
}

/** The table cannot be read from this line on. */
export class UnreadableTable extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}
