"""What the signs of a statement are worth, in hundredths, for being wrong, missing and nothing at all rather than right: written by
`scripts/fit_reader.py`, not by hand."""

CONSTANT = (0.01, -1.55, -0.69)
WEIGHTS = """\
absent unread|-11 44 7
after contradicted extreme supported|-11 -6 0
after contradicted supported|23 2 1
after contradicted value supported|30 9 3
after doubted supported|-1 4 9
after doubted value supported|-6 0 -1
after open supported|19 22 24
aggregate contradicted|-21 -4 27
aggregate supported|9 3 21
alone False contradicted|3 -26 -5
alone False doubted|1 -42 8
alone False open|-38 -41 -15
alone False supported|-8 -41 0
alone False unread|-35 -37 -9
alone True contradicted|42 32 15
alone True doubted|8 47 -7
alone True open|24 43 35
alone True supported|-14 2 -29
alone True unread|18 56 6
alternative extreme supported|20 13 30
alternative supported|41 28 34
alternative value supported|22 16 -1
any column supported|9 20 -3
aside supported|34 4 -7
beside 0 doubted contradicted|28 9 9
beside 0 doubted doubted|23 56 -6
beside 0 doubted open|15 40 20
beside 0 doubted supported|-50 -49 -50
beside 0 doubted unread|-7 34 -25
beside 0 right contradicted|8 29 21
beside 0 right doubted|-15 7 -9
beside 0 right open|0 16 4
beside 0 right supported|-13 -7 -15
beside 0 right unread|5 29 -3
beside 0 wrong contradicted|43 19 -42
beside 0 wrong doubted|8 16 -11
beside 0 wrong open|-21 33 -21
beside 0 wrong supported|-101 -36 -54
beside 0 wrong unread|-3 72 -20
beside 1 doubted contradicted|5 -5 1
beside 1 doubted doubted|12 -21 25
beside 1 doubted open|-21 -11 22
beside 1 doubted supported|11 -2 -16
beside 1 right doubted|16 23 -11
beside 1 right open|6 19 -8
beside 1 right supported|8 13 5
beside 1 right unread|-19 -1 -20
beside 1 wrong contradicted|36 7 46
beside 1 wrong doubted|-6 -11 5
beside 1 wrong open|-2 -31 19
beside 1 wrong supported|-1 -42 -29
beside 2 doubted doubted|-27 -30 -18
beside 2 doubted open|-7 -26 -23
beside 2 doubted supported|17 12 38
beside 2 right contradicted|4 -6 15
beside 2 right doubted|-15 -24 9
beside 2 right open|8 20 18
beside 2 right supported|-13 -18 -6
beside 2 right unread|0 9 3
beside 2 wrong contradicted|-34 -19 5
beside 2 wrong supported|80 38 55
beside 3 right contradicted|36 -18 -29
beside 3 right doubted|23 -1 12
beside 3 right open|-27 -53 5
beside 3 right supported|-4 -28 -12
calculates|-19 -52 -6
calculation supported|-7 -6 8
column far contradicted|6 0 27
column far doubted|18 35 19
column far supported|11 29 10
column far unsaid|-13 -10 -17
column near contradicted|-15 -1 -24
column near doubted|-12 -32 -37
column near supported|-4 -16 -25
column near unsaid|-15 -16 -47
column open contradicted|-28 -14 -8
column open doubted|-5 26 23
column open open|1 5 6
column open supported|14 30 28
column open unsaid|8 31 41
column own contradicted|50 16 -1
column own doubted|7 -25 -5
column own open|10 31 7
column own supported|-14 -54 -19
column own unread|1 32 13
column own unsaid|7 -9 28
comparison contradicted|-47 -26 -32
comparison open|-5 25 19
comparison supported|-15 -23 -38
comparison unread|0 7 -3
computed missing|-37 -28 49
computed supported|-14 11 32
contradicted|13 1 -7
count supported|-26 -20 -23
cue as supported|-5 -7 -9
cue beats contradicted|-28 -24 -23
cue beats supported|-3 -10 -15
cue both supported|-16 -19 -20
cue both unsaid|7 -13 8
cue every contradicted|-5 -12 17
cue every doubted|-6 -26 -24
cue every open|-26 -45 -44
cue every supported|-39 -46 -47
cue every unsaid|4 -1 11
cue falls contradicted|16 18 2
cue falls doubted|-37 -31 -38
cue falls supported|21 23 10
cue from contradicted|-2 -7 -11
cue from doubted|4 -10 -13
cue from open|-27 -23 -15
cue from supported|10 -1 -16
cue from unsaid|-6 -2 -3
cue hedge contradicted|-33 -8 -8
cue hedge doubted|-10 34 7
cue hedge supported|8 6 -9
cue hedge unsaid|-9 5 19
cue least contradicted|35 19 9
cue least supported|25 5 -12
cue less contradicted|6 -10 -8
cue less supported|33 13 2
cue less unsaid|9 0 -18
cue more contradicted|-15 -18 -7
cue more doubted|-4 -7 -20
cue more supported|-9 -10 -8
cue more unread|22 37 13
cue more unsaid|14 15 -22
cue most contradicted|-33 -33 -26
cue most doubted|-1 7 -8
cue most open|-5 -6 -11
cue most supported|1 3 10
cue not doubted|19 -12 1
cue not supported|46 13 10
cue not unsaid|-25 -8 -13
cue only contradicted|-42 -24 -33
cue only doubted|-31 -42 -53
cue only supported|3 0 -15
cue only unsaid|-28 -37 -36
cue over contradicted|-31 -35 -9
cue over doubted|-2 -5 0
cue over supported|6 8 -3
cue over unsaid|-4 1 -44
cue rises contradicted|8 -7 -8
cue rises doubted|15 10 -5
cue rises supported|1 3 18
cue same supported|-14 -15 -19
cue so supported|2 11 41
cue than contradicted|9 -13 -2
cue than doubted|7 -8 -19
cue than open|-8 13 -12
cue than supported|-6 -5 -21
cue than unread|-9 -12 -18
cue to contradicted|12 1 -1
cue to doubted|-7 -24 13
cue to open|6 -9 17
cue to supported|-1 33 4
cue to unsaid|-11 1 5
cue total supported|1 -4 16
cue total unsaid|-7 -8 4
cue trails supported|-1 -5 -6
cue twice contradicted|-1 11 -7
cue twice supported|4 0 -11
cue under contradicted|-29 -22 -32
cue under supported|45 25 9
denied unsaid|0 20 20
derived contradicted|-27 -19 2
derived doubted|-4 -11 67
derived open|-11 -49 -46
derived supported|9 10 42
derived unsaid|19 18 67
doubted|8 4 1
extreme contradicted|-3 -16 -18
extreme doubted|5 1 -14
extreme open|-2 -15 2
extreme supported|12 1 -9
idle doubted|-32 -29 -18
idle open|-5 -18 -5
idle unread|2 -13 -3
length 0 contradicted|2 -9 -34
length 0 doubted|10 -5 14
length 0 open|-6 8 20
length 0 supported|-10 -27 -2
length 0 unsaid|3 13 -5
length 1 contradicted|-4 34 26
length 1 doubted|16 37 30
length 1 open|11 18 15
length 1 supported|-43 -45 -26
length 1 unread|-8 30 15
length 1 unsaid|-8 24 45
length 2 contradicted|35 5 27
length 2 doubted|-10 4 -17
length 2 open|-6 -8 -35
length 2 supported|10 26 25
length 2 unread|-3 64 28
length 2 unsaid|-24 -24 -22
length 3 contradicted|9 -18 -6
length 3 doubted|2 -17 -17
length 3 supported|21 33 -5
length 3 unsaid|16 -3 13
length 4 supported|14 2 4
loose column contradicted|-66 -42 -43
loose column supported|23 28 32
loose row contradicted|-57 45 -1
loose row supported|24 19 40
movement contradicted|29 4 -3
movement doubted|-3 -18 -21
movement supported|-17 -10 6
nameless doubted|-30 -14 12
nameless open|15 -5 42
nameless supported|-10 -4 30
nameless unread|-10 -7 13
nameless unsaid|-7 -28 46
names 0 contradicted|-10 18 34
names 0 doubted|-60 1 -6
names 0 open|4 34 22
names 0 supported|8 22 37
names 0 unread|-7 29 23
names 0 unsaid|-4 42 75
names 1 contradicted|17 -5 -9
names 1 doubted|30 17 -3
names 1 open|18 15 8
names 1 supported|-7 7 -22
names 1 unread|15 25 5
names 1 unsaid|-2 -16 -40
names 2 contradicted|12 -11 -18
names 2 doubted|34 -6 14
names 2 open|-18 -21 -24
names 2 supported|0 -33 -12
names 2 unsaid|-32 -23 -17
names 3 contradicted|-6 -2 -14
names 3 doubted|4 -7 -4
names 3 supported|7 -7 -9
names 3 unsaid|25 -6 -14
nothing unsaid|-13 -4 5
number best count doubted|7 -2 2
number best nowhere contradicted|11 30 15
number best nowhere doubted|19 32 8
number best nowhere supported|-2 -11 -18
number best nowhere unread|17 27 27
number best own contradicted|-15 -35 -37
number best own doubted|-15 -31 -35
number best own open|-27 -22 -44
number best own supported|-37 -40 -57
number best read contradicted|10 -2 -12
number best read doubted|8 -6 6
number best read supported|0 -8 -13
number best sentence contradicted|4 -5 -1
number best sentence supported|-7 -10 -11
number best worked contradicted|-9 -18 -8
number best worked doubted|-26 -12 -9
number best worked elsewhere contradicted|-12 8 10
number best worked elsewhere doubted|3 7 -7
number best worked elsewhere supported|6 18 29
number best worked supported|6 3 0
number bound doubted|10 -12 17
number bound supported|61 48 30
number digits 1 count doubted|-15 -13 -13
number digits 1 count supported|-21 -1 -5
number digits 1 count value doubted|-18 -11 -18
number digits 1 nowhere contradicted|-44 -13 6
number digits 1 nowhere doubted|-30 -18 -3
number digits 1 nowhere value doubted|-21 -5 9
number digits 1 own contradicted|1 -6 -6
number digits 1 own row supported|18 7 6
number digits 1 own supported|29 27 25
number digits 1 own value supported|3 21 21
number digits 1 read contradicted|7 15 0
number digits 1 read doubted|4 11 23
number digits 1 read value contradicted|7 21 7
number digits 1 read value doubted|-2 10 21
number digits 1 worked comparison supported|7 1 0
number digits 1 worked contradicted|27 1 1
number digits 1 worked doubted|-7 14 -12
number digits 1 worked elsewhere contradicted|-5 1 17
number digits 1 worked elsewhere doubted|8 15 16
number digits 1 worked elsewhere value doubted|0 13 15
number digits 1 worked supported|-6 -9 -4
number digits 1 worked value doubted|-6 23 -4
number digits 1 worked value supported|11 11 19
number digits 2 nowhere contradicted|17 27 -1
number digits 2 nowhere doubted|42 56 15
number digits 2 nowhere value contradicted|2 4 -8
number digits 2 nowhere value doubted|17 44 9
number digits 2 own extreme supported|-10 -7 -7
number digits 2 own movement supported|-8 -6 -6
number digits 2 own row supported|-12 -7 -8
number digits 2 own supported|-23 -37 -30
number digits 2 own value supported|5 -17 -10
number digits 2 read contradicted|6 -9 -7
number digits 2 read doubted|6 6 7
number digits 2 read supported|-4 -8 -10
number digits 2 read value contradicted|-7 -14 -12
number digits 2 read value supported|4 -3 -5
number digits 2 sentence supported|-19 -16 -21
number digits 2 worked comparison supported|-7 -6 -6
number digits 2 worked contradicted|-12 -19 -20
number digits 2 worked doubted|-1 -11 4
number digits 2 worked elsewhere contradicted|15 23 7
number digits 2 worked elsewhere doubted|-7 -14 -25
number digits 2 worked elsewhere value contradicted|4 23 8
number digits 2 worked elsewhere value doubted|-6 -5 -18
number digits 2 worked movement supported|4 -4 -6
number digits 2 worked supported|-28 -10 -24
number digits 2 worked value contradicted|-1 -8 -7
number digits 2 worked value supported|-6 4 9
number digits 3 nowhere contradicted|36 22 29
number digits 3 nowhere value contradicted|19 14 0
number digits 3 own extreme supported|-10 -6 -6
number digits 3 own movement supported|-6 -4 -4
number digits 3 own supported|-25 -12 -17
number digits 3 read contradicted|2 -7 -6
number digits 3 read value contradicted|-3 -9 -8
number digits 3 worked supported|-5 -3 1
number digits 4 nowhere contradicted|25 2 1
number digits 4 nowhere value contradicted|19 0 1
number digits 4 own supported|-2 0 -11
number digits 4 own value supported|-22 -7 -17
number near contradicted|17 23 -15
number near doubted|49 40 21
number near supported|5 -27 -30
number neighbour contradicted|50 7 1
number neighbour doubted|31 -4 11
number neighbour open|9 -3 -14
number neighbour supported|0 -11 -15
number neighbour value contradicted|17 -17 -12
number neighbour value doubted|11 -8 -8
number neighbour value open|-6 -6 -18
number neighbour value supported|15 2 2
number off 0.02 comparison supported|19 9 9
number off 0.02 contradicted|-7 -28 -22
number off 0.02 extreme supported|-28 -19 -18
number off 0.02 movement supported|-10 -9 -10
number off 0.02 row supported|21 6 2
number off 0.02 supported|-37 -37 -45
number off 0.02 value supported|-38 -23 -27
number off 0.1 contradicted|1 11 -8
number off 0.1 supported|0 -8 -7
number off 0.1 value contradicted|12 20 0
number off 0.1 value supported|10 -2 -1
number off 0.3 contradicted|-3 9 -17
number off 0.3 doubted|32 29 16
number off 0.3 supported|15 18 -3
number off 0.3 value contradicted|-3 20 -8
number off 0.3 value doubted|23 29 15
number off 0.3 value supported|31 16 8
number off 1 aggregate supported|8 -1 -5
number off 1 comparison contradicted|-39 -31 -30
number off 1 comparison supported|-14 -11 -13
number off 1 contradicted|-10 -28 -17
number off 1 doubted|-2 -12 -14
number off 1 movement supported|-10 -6 -17
number off 1 supported|-18 -3 -27
number off 1 value contradicted|-14 -12 14
number off 1 value doubted|-2 27 17
number off 1 value open|-15 6 3
number off 1 value supported|6 28 23
number off 5 contradicted|-13 4 14
number off 5 doubted|-2 -5 -2
number off 5 supported|-2 8 31
number off 5 value contradicted|-21 -10 -12
number off 5 value supported|7 15 30
number part contradicted|-24 -15 7
number part open|4 30 35
number part supported|23 32 9
number percent contradicted|25 15 12
number percent doubted|31 36 -13
number percent supported|19 5 15
number role , contradicted|-7 -30 -30
number role , doubted|-24 -7 -25
number role , supported|-20 -29 -27
number role : contradicted|26 2 4
number role : supported|-5 -11 -5
number role and supported|0 -5 -2
number role are supported|1 -3 -6
number role at supported|-28 -22 -26
number role by contradicted|-12 -19 -13
number role by doubted|8 1 24
number role by supported|-4 11 9
number role costs supported|15 9 17
number role for supported|3 5 -6
number role from supported|18 1 1
number role has supported|-19 -12 -14
number role is contradicted|32 29 23
number role is supported|-23 -14 10
number role of supported|-6 16 7
number role to supported|-3 -7 -18
number role was supported|-4 5 -3
number role with supported|35 11 8
number role → supported|2 -3 -9
number shuffled contradicted|85 18 14
number small contradicted|5 23 36
number small doubted|-35 -5 19
number small open|-9 -20 -15
number small supported|7 -5 32
number spelled contradicted|-20 11 9
number spelled doubted|-77 -77 -54
number spelled open|-23 -8 -4
number spelled supported|3 16 10
number worst count count supported|-7 -8 -10
number worst count doubted|19 3 8
number worst count supported|-7 4 -1
number worst nowhere contradicted|34 39 35
number worst nowhere doubted|27 33 11
number worst nowhere open|30 30 16
number worst nowhere supported|16 -4 -14
number worst nowhere unread|17 27 27
number worst nowhere value contradicted|22 25 20
number worst nowhere value doubted|24 37 26
number worst nowhere value open|13 29 13
number worst nowhere value unread|16 25 19
number worst own comparison contradicted|-29 -18 -18
number worst own contradicted|-45 -41 -41
number worst own doubted|-38 -36 -43
number worst own extreme supported|-9 -11 -10
number worst own movement supported|-14 -12 -12
number worst own row supported|21 6 2
number worst own supported|-9 -18 -29
number worst own value supported|-6 3 -3
number worst read contradicted|25 1 -10
number worst read doubted|3 -8 4
number worst read open|-3 -21 -17
number worst read supported|-8 -16 -20
number worst read value contradicted|2 -1 -12
number worst read value doubted|-8 -15 -18
number worst read value open|-18 -25 -22
number worst read value supported|-3 -16 -28
number worst sentence contradicted|6 -4 0
number worst sentence supported|-8 -10 -10
number worst worked aggregate supported|1 -1 6
number worst worked comparison supported|-4 -7 -9
number worst worked contradicted|-22 -32 -43
number worst worked doubted|-27 -15 -11
number worst worked elsewhere contradicted|-19 5 14
number worst worked elsewhere doubted|12 11 -3
number worst worked elsewhere supported|5 22 27
number worst worked elsewhere value contradicted|21 36 30
number worst worked elsewhere value doubted|4 18 3
number worst worked movement supported|-3 -14 -16
number worst worked open|-7 -20 -6
number worst worked supported|-12 -8 -9
number worst worked value contradicted|-24 -27 -26
number worst worked value doubted|18 26 29
number worst worked value open|-7 -13 -2
number worst worked value supported|5 13 22
numbers 0 contradicted|48 15 13
numbers 0 doubted|-7 -5 -4
numbers 0 open|7 24 33
numbers 0 supported|31 20 50
numbers 0 unread|-12 -11 -18
numbers 0 unsaid|1 19 58
numbers 1 contradicted|-27 -1 -12
numbers 1 doubted|-15 -2 0
numbers 1 open|2 1 -18
numbers 1 supported|-7 2 -19
numbers 1 unread|-5 30 14
numbers 2 contradicted|-20 -16 -10
numbers 2 open|-22 -12 -39
numbers 2 supported|-9 -24 -25
open|3 15 -4
other row supported|-25 -14 10
other row value supported|-28 -22 -19
otherwise|28 -1 13
otherwise comparison|20 8 13
otherwise comparison supported|11 5 10
otherwise extreme|22 3 2
otherwise extreme supported|30 4 -7
otherwise movement|-6 -3 12
otherwise movement supported|-3 -3 7
otherwise supported|19 1 10
otherwise value|-1 -5 -11
otherwise value supported|-11 0 3
part of column contradicted|-2 5 13
part of column supported|-7 -8 -4
part of column unsaid|-11 -17 -5
part of row contradicted|24 -1 9
part of row supported|-12 6 6
plain contradicted|64 12 20
plain row supported|21 7 2
plain supported|-2 -8 13
plain value contradicted|58 10 19
plain value supported|-23 -15 11
pronoun contradicted|-17 18 -13
pronoun doubted|-2 -8 -24
pronoun open|5 22 11
pronoun supported|-30 20 -17
pronoun unread|13 0 6
pronoun unsaid|5 21 -6
reading 1 aggregate supported|10 1 15
reading 1 comparison supported|-17 -24 -43
reading 1 count supported|-20 -16 -19
reading 1 extreme supported|-18 -3 -2
reading 1 movement supported|-15 -7 -1
reading 1 row supported|21 6 2
reading 1 supported|-16 -9 -28
reading 1 value supported|-4 5 -9
reading 2 extreme supported|12 0 -8
reading 2 supported|28 1 16
reading 2 value supported|0 -5 7
reading 3 supported|4 -1 16
reading 3 value supported|-9 -7 4
reading 4 supported|-12 2 -21
reading 4 value supported|-3 12 -10
readings 1 comparison contradicted|-18 -11 -32
readings 1 contradicted|33 8 -15
readings 1 doubted|3 19 -9
readings 1 extreme contradicted|1 -7 -14
readings 1 movement contradicted|2 -11 -10
readings 1 movement doubted|-26 -19 -22
readings 1 value contradicted|-8 11 18
readings 1 value doubted|0 17 2
readings 2 contradicted|-50 -30 -24
readings 2 doubted|-7 -6 9
readings 2 value doubted|-5 14 25
readings 3 doubted|4 -19 2
readings 3 value doubted|-6 -18 0
readings 4 contradicted|-10 6 6
readings 4 doubted|14 12 1
readings 4 value doubted|13 19 -6
row far column own nothing unsaid|6 9 61
row far column own value doubted|19 2 26
row far column own value supported|16 0 11
row far contradicted|20 12 15
row far doubted|15 23 23
row far supported|11 47 34
row far unsaid|-12 0 45
row near column far value supported|-12 -11 -14
row near column near nothing unsaid|2 23 0
row near column near value doubted|8 -24 -23
row near column near value supported|18 2 1
row near column open value supported|42 16 16
row near column own extreme supported|-18 -13 -14
row near column own nothing unsaid|-3 16 -27
row near column own value contradicted|-10 1 3
row near column own value doubted|-9 18 2
row near column own value open|-14 -1 -11
row near column own value supported|-14 -19 -18
row near contradicted|-17 -5 3
row near doubted|-1 -12 -21
row near open|-34 -14 -43
row near supported|9 -34 -31
row near unsaid|3 49 -41
row open column open nothing unsaid|-11 -11 2
row open column open value doubted|7 16 46
row open column own calculation supported|-12 -5 1
row open column own extreme open|-18 -11 32
row open column own movement supported|-3 -6 -6
row open column own nothing unsaid|14 9 62
row open column own value doubted|-7 -23 -6
row open column own value supported|7 -10 -18
row open column own value unread|2 26 18
row open contradicted|-10 4 16
row open doubted|-20 -3 17
row open open|12 -7 44
row open supported|2 -4 40
row open unread|1 16 27
row open unsaid|-6 -19 39
row own column far movement supported|0 -4 -6
row own column far value supported|-7 -8 -9
row own column near value supported|-15 -10 0
row own column open calculation supported|-33 -31 -49
row own column open extreme supported|-12 -11 -24
row own column open nothing unsaid|11 19 47
row own column open value supported|3 34 27
row own column own aggregate supported|15 3 0
row own column own comparison contradicted|23 10 -1
row own column own comparison supported|12 1 -15
row own column own comparison unread|-1 -3 -14
row own column own extreme contradicted|9 -9 -7
row own column own extreme supported|6 -1 -15
row own column own movement supported|-5 2 -1
row own column own nothing unsaid|-9 -43 -68
row own column own row supported|21 6 2
row own column own value contradicted|2 -2 -23
row own column own value doubted|-10 0 1
row own column own value open|-2 -16 -20
row own column own value supported|-23 -6 8
row own contradicted|20 -10 -41
row own doubted|14 -3 -18
row own open|25 21 -13
row own supported|-14 -19 -49
row own unread|-15 -27 -34
row own unsaid|1 -33 -39
row supported|14 1 -4
says about supported|7 -1 -5
says above supported|-23 -19 -17
says age supported|-4 -3 -10
says all supported|-23 -19 -10
says and contradicted|-14 -31 -27
says and doubted|-28 -29 -7
says and open|-13 -29 -31
says and supported|-14 -9 -19
says and unsaid|29 1 10
says are doubted|-8 -3 -24
says are supported|-22 -19 -10
says are unsaid|-9 -8 -30
says as contradicted|-4 1 -6
says as supported|6 11 4
says at contradicted|-10 -1 -9
says at doubted|14 23 15
says at supported|31 2 17
says at unsaid|8 0 -5
says bar supported|5 0 -1
says between supported|-13 -10 -7
says book supported|9 0 -3
says both supported|-1 -8 -7
says by contradicted|-6 -24 -18
says by doubted|-25 -9 2
says by supported|11 19 14
says by unsaid|-9 -22 -32
says chart supported|-5 1 17
says come supported|7 12 3
says country supported|-13 -11 -13
says day supported|-3 6 -6
says demand supported|-3 -5 -9
says dollar supported|-3 -4 -7
says each supported|10 -1 -4
says every supported|-22 -20 -25
says exactly supported|1 -8 -9
says for contradicted|-2 2 9
says for doubted|-4 21 12
says for supported|9 -2 -12
says for unsaid|26 27 22
says from contradicted|0 0 -5
says from supported|4 3 -7
says from unsaid|-18 -16 -13
says group supported|-17 -13 -13
says had contradicted|5 -7 -4
says had supported|-6 17 -4
says half supported|13 8 0
says has contradicted|29 8 17
says has supported|-41 -30 -35
says have contradicted|-9 17 -4
says have supported|0 2 21
says height supported|26 11 9
says highest supported|-16 -5 6
says important supported|11 0 0
says in contradicted|4 -11 -30
says in doubted|17 -41 -42
says in open|-18 4 -47
says in supported|6 32 -8
says in unread|22 15 -2
says in unsaid|-13 11 -22
says is contradicted|14 7 35
says is doubted|18 14 32
says is open|0 16 22
says is supported|-1 -3 -13
says is unsaid|11 14 26
says it contradicted|40 41 25
says it doubted|-10 -22 -19
says it supported|-4 -5 -14
says it unsaid|7 8 -3
says its supported|-6 15 12
says just supported|-11 -10 -12
says km supported|21 10 16
says largest supported|-41 -28 -35
says least supported|6 2 8
says line supported|-10 1 -12
says loss supported|12 9 1
says make supported|15 20 4
says many supported|-5 -5 -5
says million contradicted|13 -1 -5
says million doubted|-6 -18 -22
says million supported|-34 -35 -37
says mm supported|-7 -6 -10
says more contradicted|-9 -9 -13
says more supported|-43 -21 -18
says most supported|-15 28 -16
says no supported|-17 -13 -16
says number supported|-27 -19 -24
says of contradicted|-11 -13 -1
says of doubted|-27 13 -29
says of open|-5 -9 -42
says of supported|-12 52 20
says of unread|-1 -36 -32
says of unsaid|-13 7 -40
says on contradicted|11 13 0
says on doubted|-7 3 -20
says on supported|-5 -2 -2
says one supported|-15 -6 9
says only supported|10 8 -4
says other supported|-14 -8 -2
says over supported|-4 0 -8
says percentage supported|-5 -9 -12
says person supported|10 -2 -5
says point doubted|-7 -3 17
says point supported|-20 -11 -2
says price contradicted|8 13 5
says price doubted|10 30 19
says price supported|-16 -4 25
says quantity supported|5 0 -2
says rate supported|11 15 13
says row supported|-6 -4 7
says same supported|0 -6 -9
says saturday supported|11 3 2
says share contradicted|22 8 8
says share supported|-12 -17 -20
says sibling supported|-2 -3 -5
says smallest supported|-19 -14 -21
says solar supported|12 19 8
says student supported|-19 -22 -30
says supply supported|3 -2 -5
says table supported|-7 3 -3
says than contradicted|2 -15 -4
says than open|-17 9 -16
says than supported|9 4 -11
says than unread|-4 1 -10
says that contradicted|-8 -1 2
says that supported|-3 14 0
says that unsaid|-10 -22 -20
says the contradicted|-9 15 3
says the doubted|16 -10 -39
says the open|16 -27 2
says the supported|-19 -39 -31
says the unread|-2 -3 -34
says the unsaid|16 5 7
says them supported|-9 9 -13
says there supported|-7 2 -14
says they supported|-10 -9 -11
says thousand supported|21 20 10
says thursday supported|-4 -4 -5
says time supported|-7 -8 -9
says to contradicted|1 -4 -6
says to doubted|-13 -22 13
says to open|12 0 23
says to supported|6 27 9
says to unsaid|-6 9 14
says together supported|-5 -8 -13
says total supported|-8 -5 1
says twice supported|-3 -6 -7
says unit supported|-7 4 -9
says up supported|-10 13 11
says very supported|-13 -13 -14
says was contradicted|2 13 -4
says was supported|26 12 4
says we unsaid|14 9 46
says wednesday supported|-19 -12 -14
says were supported|-7 8 2
says win supported|8 7 15
says with contradicted|21 -1 0
says with supported|21 -11 -24
says with unsaid|-4 -5 22
says woman supported|13 3 1
says year contradicted|-23 -5 -22
says year doubted|-21 0 -24
says year supported|-10 -12 -32
strange 0 contradicted|58 -12 8
strange 0 doubted|12 -21 -6
strange 0 open|-9 13 4
strange 0 supported|-19 -46 -28
strange 0 unsaid|-15 -30 0
strange 1 contradicted|5 10 16
strange 1 doubted|3 5 -5
strange 1 open|-10 -12 -8
strange 1 supported|-49 -39 0
strange 1 unread|-5 29 5
strange 1 unsaid|8 -7 20
strange 2 contradicted|24 10 -2
strange 2 doubted|7 25 19
strange 2 open|-12 19 -22
strange 2 supported|-10 -27 -36
strange 2 unread|1 29 17
strange 2 unsaid|12 7 0
strange 3 contradicted|-9 11 -15
strange 3 doubted|5 9 -17
strange 3 open|12 -10 23
strange 3 supported|34 9 18
strange 3 unread|7 -49 -15
strange 3 unsaid|-30 -8 -40
strange 4 contradicted|-59 -46 -43
strange 4 doubted|6 17 28
strange 4 supported|31 50 17
strange 4 unsaid|2 30 1
strange doubted|12 51 13
strange value doubted|-29 30 -7
supported|7 -11 -6
two names comparison contradicted|40 9 12
two names comparison supported|-8 -10 -4
two names contradicted|33 -1 1
two names doubted|-7 -16 -1
two names movement supported|-20 -14 -16
two names supported|-16 -20 -12
two names value supported|-4 1 9
unbound doubted|13 17 22
unbound value doubted|8 18 15
unknown 0 contradicted|13 -52 -13
unknown 0 doubted|28 -3 0
unknown 0 open|-6 -26 9
unknown 0 supported|-7 -75 -37
unknown 0 unsaid|5 -38 -16
unknown 1 contradicted|1 -2 -24
unknown 1 doubted|9 -14 -25
unknown 1 open|-22 12 -23
unknown 1 supported|-19 -24 -20
unknown 1 unread|20 48 32
unknown 1 unsaid|-23 3 -20
unknown 2 contradicted|-20 31 14
unknown 2 doubted|-2 10 15
unknown 2 supported|0 25 12
unknown 2 unread|-1 1 11
unknown 2 unsaid|-2 9 14
unknown 3 doubted|-18 17 14
unknown 3 supported|-7 -10 -12
unknown 3 unsaid|2 7 24
unknown 4 supported|40 73 52
unknown 4 unsaid|5 15 3
unread|-17 19 -3
unsaid|-13 -4 5
unsure doubted|1 -38 -24
unsure extreme doubted|-10 -1 -18
unsure movement doubted|1 -14 -17
unsure value doubted|12 -17 16
value contradicted|-9 23 18
value doubted|3 31 22
value open|-21 -4 -16
value supported|11 15 3
value unread|-8 24 -4
word all supported|-23 -19 -10
word both supported|-1 -8 -7
word each supported|10 -1 -4
word every supported|-22 -20 -25
word first supported|-14 -6 7
word half supported|13 8 0
word only supported|10 8 -4
word other supported|-14 -8 -2
word same supported|0 -6 -9
word second supported|32 28 26
word twice supported|-3 -6 -7
"""
