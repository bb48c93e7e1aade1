"""Page A or page B? The same shares of buyers, seen in more and more visitors."""

import likely

for visitors in (50, 200, 1000, 5000):
    pages, bought = ["A"] * visitors + ["B"] * visitors, []
    for share in (0.12, 0.14):
        bought += [i < share * visitors for i in range(visitors)]
    found = likely.compare.groups(None, bought, pages)
    line = found.difference("B", "A")
    print(
        f"{visitors:5} visitors each: P(B better) = {line['prob']:.3f}, "
        f"difference {line['lower']:+.3f} to {line['upper']:+.3f}, "
        f"expected loss of choosing B {line['loss of first']:.5f}"
    )
