from likely.table.scratch import scratch, scratch_like  # noqa
