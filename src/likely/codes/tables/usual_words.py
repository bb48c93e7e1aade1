"""What tables usually say of themselves: names of columns and lists of values, in the words of many trades.

The model of letters reads this before it reads a table's own lists, so that it knows how words are made. It
is a part of the format: another text would make other files.
"""

from __future__ import annotations

from collections.abc import Iterator

_NAMES = """
id name first-name last-name title age sex gender birth-date country state city region address
street postal-code phone email company department job education school student teacher occupation
income salary tax rent price cost amount total balance payment credit account loan interest rate
currency budget product-group customer-id order-number quantity discount date start-date end-date
year month week day hour minute second time timestamp created updated status type class category
group kind level grade rank score rating points count number frequency percentage ratio share index
value mean median minimum maximum sum error length width height depth weight size area volume
distance speed duration temperature humidity pressure wind rain snow cloud latitude longitude
elevation direction color shape surface material texture sound blood-pressure heart-rate cholesterol
glucose disease symptom treatment patient hospital test result outcome target label response-time
control species population density household family children married member policy safety service
contract water energy power fuel engine vehicle model brand origin destination flight airline train
station road building house room floor garden animal plant tree seed leaf root food drink sugar fat
protein text comment description message subject language author source version file path user
action event session
"""
_LISTS = """
no|yes
N|Y
false|true
f|t
0|1
female|male|other
none|low|medium|high|very high
bad|good|excellent|unknown
small|normal|large
never|rarely|sometimes|often|always
single|married|divorced|widowed
negative|positive
left|right|center
north|south|east|west
red|orange|yellow|green|blue|purple|pink|brown|black|white|gray
Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday
jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec
Germany|France|England|Italy|Spain|Poland|Japan|China|India|Mexico|Canada|United States|Brazil
"""


def _descriptions() -> Iterator[bytes]:
    """The words as descriptions of tables: a comma, columns and rows, names, no odd lines, lists."""
    lists = [f"{line}|".replace("|", "\n").encode() for line in _LISTS.strip().splitlines()]
    for i, line in enumerate(_NAMES.strip().splitlines()):
        names = line.split()
        head = b"\0\1\1," + bytes([len(names), 128 + 9 * i, 1 + i // 2, 2 * len(names) + 1])
        listed = (b"\0" + bytes([2 * own.count(b"\n") + 1]) + own for own in lists[i::_LINES])
        yield head + "".join(f"{name}\n" for name in names).encode() + b"\0\1" + b"".join(listed)


_LINES = len(_NAMES.strip().splitlines())
READ = tuple(_descriptions())
