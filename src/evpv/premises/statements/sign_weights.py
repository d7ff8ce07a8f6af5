"""What the signs of a statement are worth, in hundredths, for being wrong, missing and nothing at all rather than right: written by
`scripts/fit_reader.py`, not by hand."""

CONSTANT = (0.02, -1.58, -0.7)
WEIGHTS = """\
absent unread|-11 44 7
after contradicted extreme supported|-11 -6 0
after contradicted supported|23 2 1
after contradicted value supported|30 9 3
after doubted supported|-1 4 9
after doubted value supported|-6 0 -2
after open supported|19 22 24
aggregate contradicted|-21 -4 27
aggregate supported|9 3 21
alone False contradicted|3 -25 -4
alone False doubted|4 -40 10
alone False open|-38 -41 -16
alone False supported|-8 -41 0
alone False unread|-35 -36 -9
alone True contradicted|42 33 15
alone True doubted|4 44 -10
alone True open|24 44 35
alone True supported|-14 2 -28
alone True unread|18 56 6
alternative extreme supported|20 13 30
alternative supported|41 27 34
alternative value supported|22 16 -1
any column supported|8 19 -3
aside supported|33 4 -8
beside 0 doubted contradicted|28 9 9
beside 0 doubted doubted|24 56 -8
beside 0 doubted open|15 40 22
beside 0 doubted supported|-51 -50 -50
beside 0 doubted unread|-7 35 -24
beside 0 right contradicted|9 31 22
beside 0 right doubted|-15 8 -7
beside 0 right open|0 16 2
beside 0 right supported|-13 -6 -15
beside 0 right unread|5 30 -3
beside 0 wrong contradicted|42 18 -42
beside 0 wrong doubted|8 16 -11
beside 0 wrong open|-21 34 -21
beside 0 wrong supported|-100 -35 -53
beside 0 wrong unread|-3 72 -20
beside 1 doubted contradicted|5 -4 2
beside 1 doubted doubted|11 -22 25
beside 1 doubted open|-21 -11 20
beside 1 doubted supported|12 -1 -15
beside 1 right doubted|16 25 -9
beside 1 right open|5 18 -7
beside 1 right supported|7 12 4
beside 1 right unread|-19 0 -20
beside 1 wrong contradicted|37 8 48
beside 1 wrong doubted|-6 -12 4
beside 1 wrong open|-2 -31 19
beside 1 wrong supported|-2 -42 -30
beside 2 doubted doubted|-27 -29 -16
beside 2 doubted open|-7 -26 -22
beside 2 doubted supported|17 12 38
beside 2 right contradicted|2 -7 13
beside 2 right doubted|-19 -27 10
beside 2 right open|9 22 19
beside 2 right supported|-12 -16 -5
beside 2 right unread|0 9 3
beside 2 wrong contradicted|-35 -19 5
beside 2 wrong supported|80 38 55
beside 3 right contradicted|36 -17 -28
beside 3 right doubted|25 -1 6
beside 3 right open|-28 -53 6
beside 3 right supported|-4 -28 -12
calculates|-20 -52 -5
calculation supported|-7 -6 8
column far contradicted|7 1 27
column far doubted|18 36 21
column far supported|12 30 11
column far unsaid|-13 -10 -17
column near contradicted|-15 -1 -23
column near doubted|-12 -31 -36
column near supported|-5 -17 -25
column near unsaid|-15 -16 -47
column open contradicted|-27 -13 -7
column open doubted|-5 25 22
column open open|1 4 7
column open supported|14 30 28
column open unsaid|8 31 41
column own contradicted|49 15 -2
column own doubted|6 -26 -7
column own open|10 31 5
column own supported|-14 -54 -19
column own unread|1 32 12
column own unsaid|7 -8 28
comparison contradicted|-47 -26 -32
comparison open|-4 25 20
comparison supported|-15 -23 -38
comparison unread|0 7 -3
computed missing|-37 -27 52
computed supported|-14 11 32
contradicted|15 2 -5
count supported|-26 -20 -23
cue as supported|-5 -7 -9
cue beats contradicted|-28 -24 -23
cue beats supported|-3 -10 -15
cue both supported|-16 -19 -20
cue both unsaid|7 -13 7
cue every contradicted|-12 -16 12
cue every doubted|-6 -25 -23
cue every open|-22 -41 -41
cue every supported|-39 -46 -47
cue every unsaid|4 -1 11
cue falls contradicted|17 19 3
cue falls doubted|-36 -30 -38
cue falls supported|20 22 10
cue from contradicted|-1 -7 -11
cue from doubted|4 -9 -12
cue from open|-26 -23 -13
cue from supported|10 -1 -16
cue from unsaid|-6 -2 -3
cue hedge contradicted|-32 -7 -7
cue hedge doubted|-9 35 8
cue hedge supported|8 6 -9
cue hedge unsaid|-8 5 19
cue least contradicted|36 19 9
cue least supported|25 5 -12
cue less contradicted|6 -10 -8
cue less supported|34 13 2
cue less unsaid|9 0 -18
cue more contradicted|-14 -17 -5
cue more doubted|-3 -6 -18
cue more supported|-9 -11 -9
cue more unread|22 37 13
cue more unsaid|14 15 -23
cue most contradicted|-33 -32 -26
cue most doubted|-1 7 -8
cue most open|-5 -6 -10
cue most supported|1 3 10
cue not doubted|19 -12 1
cue not supported|45 13 9
cue not unsaid|-25 -8 -13
cue only contradicted|-42 -24 -33
cue only doubted|-31 -42 -53
cue only supported|1 -1 -16
cue only unsaid|-28 -37 -35
cue over contradicted|-30 -34 -8
cue over doubted|-11 -11 -5
cue over supported|8 9 -2
cue over unsaid|-4 1 -44
cue rises contradicted|9 -7 -7
cue rises doubted|15 10 -6
cue rises supported|1 3 18
cue same supported|-13 -15 -19
cue so supported|3 11 41
cue than contradicted|9 -13 -2
cue than doubted|8 -7 -17
cue than open|-8 13 -12
cue than supported|-6 -6 -21
cue than unread|-9 -12 -18
cue to contradicted|13 2 0
cue to doubted|-6 -23 15
cue to open|5 -9 17
cue to supported|-1 33 4
cue to unsaid|-11 1 5
cue total supported|1 -4 15
cue total unsaid|-7 -8 3
cue trails supported|-1 -5 -5
cue twice contradicted|-1 12 -7
cue twice supported|3 0 -11
cue under contradicted|-27 -21 -30
cue under supported|43 25 9
denied unsaid|0 20 20
derived contradicted|-25 -18 3
derived doubted|-4 -10 69
derived open|-12 -49 -45
derived supported|8 10 42
derived unsaid|19 19 67
doubted|7 4 0
extreme contradicted|-3 -15 -18
extreme doubted|4 1 -14
extreme open|-2 -15 3
extreme supported|12 2 -9
idle doubted|-31 -27 -14
idle open|-5 -17 -1
idle unread|2 -13 -3
length 0 contradicted|3 -8 -33
length 0 doubted|9 -4 18
length 0 open|-6 8 21
length 0 supported|-10 -27 -2
length 0 unsaid|2 13 -5
length 1 contradicted|-3 35 27
length 1 doubted|18 38 28
length 1 open|9 17 11
length 1 supported|-43 -45 -25
length 1 unread|-8 30 15
length 1 unsaid|-8 24 44
length 2 contradicted|32 3 24
length 2 doubted|-13 2 -19
length 2 open|-5 -7 -33
length 2 supported|9 26 25
length 2 unread|-3 64 28
length 2 unsaid|-24 -23 -22
length 3 contradicted|10 -17 -5
length 3 doubted|8 -12 -11
length 3 supported|22 33 -5
length 3 unsaid|16 -3 13
length 4 supported|14 2 4
loose column contradicted|-65 -42 -42
loose column supported|24 28 31
loose row contradicted|-57 46 0
loose row supported|24 19 40
movement contradicted|30 5 -2
movement doubted|-2 -17 -20
movement supported|-18 -10 6
nameless doubted|-30 -15 11
nameless open|16 -4 44
nameless supported|-10 -4 30
nameless unread|-10 -7 13
nameless unsaid|-7 -28 47
names 0 contradicted|-12 18 33
names 0 doubted|-59 3 -3
names 0 open|4 34 20
names 0 supported|8 23 38
names 0 unread|-7 30 23
names 0 unsaid|-4 42 75
names 1 contradicted|18 -4 -8
names 1 doubted|29 15 -8
names 1 open|17 14 10
names 1 supported|-7 7 -22
names 1 unread|15 25 5
names 1 unsaid|-2 -15 -40
names 2 contradicted|13 -10 -17
names 2 doubted|34 -5 15
names 2 open|-18 -21 -23
names 2 supported|0 -34 -12
names 2 unsaid|-31 -23 -17
names 3 contradicted|-5 -2 -13
names 3 doubted|4 -8 -3
names 3 supported|7 -7 -9
names 3 unsaid|25 -6 -14
nothing unsaid|-13 -3 5
number best count doubted|7 -2 2
number best nowhere contradicted|14 33 18
number best nowhere doubted|19 31 6
number best nowhere supported|-3 -11 -18
number best nowhere unread|17 28 26
number best own contradicted|-14 -34 -36
number best own doubted|-15 -31 -35
number best own open|-27 -23 -43
number best own supported|-36 -39 -57
number best read contradicted|2 -7 -18
number best read doubted|8 -6 7
number best read supported|-1 -8 -13
number best sentence contradicted|4 -5 -1
number best sentence supported|-6 -10 -11
number best worked contradicted|-9 -17 -8
number best worked doubted|-26 -12 -9
number best worked elsewhere contradicted|-11 8 11
number best worked elsewhere doubted|4 7 -7
number best worked elsewhere supported|6 18 29
number best worked supported|5 3 0
number bound doubted|11 -11 18
number bound supported|61 48 30
number digits 1 count doubted|-15 -13 -14
number digits 1 count supported|-21 -1 -5
number digits 1 count value doubted|-18 -11 -19
number digits 1 nowhere contradicted|-50 -17 2
number digits 1 nowhere doubted|-32 -21 -10
number digits 1 nowhere value doubted|-23 -9 1
number digits 1 own contradicted|1 -5 -6
number digits 1 own row supported|18 7 6
number digits 1 own supported|30 27 25
number digits 1 own value supported|4 22 22
number digits 1 read contradicted|8 15 0
number digits 1 read doubted|4 11 23
number digits 1 read value contradicted|8 21 7
number digits 1 read value doubted|-2 10 21
number digits 1 worked comparison supported|7 1 0
number digits 1 worked contradicted|27 2 1
number digits 1 worked doubted|-7 14 -10
number digits 1 worked elsewhere contradicted|-4 1 18
number digits 1 worked elsewhere doubted|8 16 17
number digits 1 worked elsewhere value doubted|0 14 16
number digits 1 worked supported|-7 -9 -4
number digits 1 worked value doubted|-6 23 -2
number digits 1 worked value supported|9 11 19
number digits 2 nowhere contradicted|19 28 0
number digits 2 nowhere doubted|42 56 16
number digits 2 nowhere value contradicted|3 5 -7
number digits 2 nowhere value doubted|18 45 10
number digits 2 own extreme supported|-9 -7 -7
number digits 2 own movement supported|-8 -6 -6
number digits 2 own row supported|-12 -7 -8
number digits 2 own supported|-23 -37 -31
number digits 2 own value supported|4 -17 -10
number digits 2 read contradicted|7 -9 -7
number digits 2 read doubted|7 6 8
number digits 2 read supported|-4 -8 -10
number digits 2 read value contradicted|-6 -14 -12
number digits 2 read value supported|4 -3 -5
number digits 2 sentence supported|-19 -15 -20
number digits 2 worked comparison supported|-7 -6 -6
number digits 2 worked contradicted|-12 -20 -20
number digits 2 worked doubted|-1 -11 4
number digits 2 worked elsewhere contradicted|16 23 8
number digits 2 worked elsewhere doubted|-7 -14 -25
number digits 2 worked elsewhere value contradicted|4 23 8
number digits 2 worked elsewhere value doubted|-6 -6 -18
number digits 2 worked movement supported|4 -4 -5
number digits 2 worked supported|-27 -10 -24
number digits 2 worked value contradicted|-1 -8 -7
number digits 2 worked value supported|-6 4 9
number digits 3 nowhere contradicted|36 22 29
number digits 3 nowhere value contradicted|20 14 1
number digits 3 own extreme supported|-10 -6 -6
number digits 3 own movement supported|-6 -4 -4
number digits 3 own supported|-25 -12 -17
number digits 3 read contradicted|2 -7 -5
number digits 3 read value contradicted|-3 -9 -7
number digits 4 nowhere contradicted|25 2 1
number digits 4 nowhere value contradicted|19 1 1
number digits 4 own supported|-2 0 -11
number digits 4 own value supported|-21 -7 -17
number near contradicted|16 23 -15
number near doubted|49 40 22
number near supported|5 -27 -30
number neighbour contradicted|52 8 2
number neighbour doubted|31 -3 13
number neighbour open|9 -3 -13
number neighbour supported|-1 -11 -15
number neighbour value contradicted|19 -16 -11
number neighbour value doubted|11 -7 -5
number neighbour value open|-6 -6 -18
number neighbour value supported|13 2 2
number off 0.02 comparison supported|19 9 9
number off 0.02 contradicted|-7 -28 -22
number off 0.02 extreme supported|-28 -19 -18
number off 0.02 movement supported|-10 -9 -10
number off 0.02 row supported|21 6 2
number off 0.02 supported|-37 -37 -46
number off 0.02 value supported|-39 -24 -27
number off 0.1 contradicted|1 11 -8
number off 0.1 supported|-1 -8 -8
number off 0.1 value contradicted|11 19 0
number off 0.1 value supported|10 -2 -1
number off 0.3 contradicted|-2 10 -17
number off 0.3 doubted|32 29 17
number off 0.3 supported|16 18 -3
number off 0.3 value contradicted|-3 20 -8
number off 0.3 value doubted|23 29 16
number off 0.3 value supported|31 16 8
number off 1 aggregate supported|8 -1 -5
number off 1 comparison contradicted|-39 -31 -30
number off 1 comparison supported|-14 -11 -13
number off 1 contradicted|-12 -30 -18
number off 1 doubted|-2 -12 -15
number off 1 movement supported|-9 -6 -17
number off 1 supported|-17 -2 -26
number off 1 value contradicted|-17 -14 11
number off 1 value doubted|-3 25 14
number off 1 value open|-14 6 -1
number off 1 value supported|7 29 23
number off 5 contradicted|-13 5 14
number off 5 doubted|-2 -5 -3
number off 5 supported|-3 7 31
number off 5 value contradicted|-21 -10 -11
number off 5 value supported|8 15 31
number part contradicted|-23 -14 7
number part open|4 31 31
number part supported|23 32 10
number percent contradicted|25 15 13
number percent doubted|30 35 -13
number percent supported|19 5 14
number role , contradicted|-11 -33 -34
number role , doubted|-23 -6 -23
number role , supported|-20 -29 -27
number role : contradicted|26 2 3
number role : supported|-5 -11 -5
number role and supported|0 -5 -2
number role are supported|0 -4 -6
number role at supported|-27 -22 -26
number role by contradicted|-12 -19 -13
number role by doubted|9 1 24
number role by supported|-4 11 9
number role costs supported|15 9 17
number role for supported|3 5 -5
number role from supported|18 1 1
number role has supported|-19 -12 -14
number role is contradicted|32 29 23
number role is supported|-23 -14 10
number role of supported|-6 16 7
number role to supported|-4 -7 -18
number role was supported|-4 5 -3
number role with supported|35 10 8
number role → supported|2 -4 -9
number shuffled contradicted|85 18 14
number small contradicted|3 22 35
number small doubted|-37 -8 14
number small open|-9 -20 -14
number small supported|7 -5 31
number spelled contradicted|-24 8 6
number spelled doubted|-74 -74 -48
number spelled open|-23 -8 -7
number spelled supported|3 17 11
number worst count count supported|-7 -7 -10
number worst count doubted|19 3 7
number worst count supported|-7 4 -1
number worst count value doubted|-1 -1 -5
number worst nowhere contradicted|30 36 32
number worst nowhere doubted|27 32 8
number worst nowhere open|30 29 18
number worst nowhere supported|15 -5 -14
number worst nowhere unread|17 28 26
number worst nowhere value contradicted|18 22 17
number worst nowhere value doubted|22 35 21
number worst nowhere value open|13 29 14
number worst nowhere value unread|16 25 19
number worst own comparison contradicted|-29 -19 -19
number worst own contradicted|-45 -41 -41
number worst own doubted|-38 -36 -43
number worst own extreme supported|-9 -11 -10
number worst own movement supported|-14 -12 -12
number worst own row supported|21 6 2
number worst own supported|-9 -18 -29
number worst own value supported|-5 4 -3
number worst read contradicted|27 3 -8
number worst read doubted|3 -8 5
number worst read open|-2 -21 -17
number worst read supported|-7 -15 -20
number worst read value contradicted|4 0 -10
number worst read value doubted|-8 -15 -17
number worst read value open|-17 -25 -21
number worst read value supported|-3 -16 -27
number worst sentence contradicted|6 -4 0
number worst sentence supported|-8 -10 -10
number worst worked aggregate supported|2 -1 6
number worst worked comparison supported|-4 -7 -9
number worst worked contradicted|-23 -32 -44
number worst worked doubted|-26 -15 -11
number worst worked elsewhere contradicted|-18 6 15
number worst worked elsewhere doubted|12 11 -3
number worst worked elsewhere supported|5 22 27
number worst worked elsewhere value contradicted|21 36 31
number worst worked elsewhere value doubted|4 17 3
number worst worked movement supported|-3 -13 -16
number worst worked open|-5 -18 -2
number worst worked supported|-12 -8 -9
number worst worked value contradicted|-24 -27 -26
number worst worked value doubted|18 26 29
number worst worked value supported|4 12 22
numbers 0 contradicted|49 15 14
numbers 0 doubted|-8 -5 -4
numbers 0 open|7 24 34
numbers 0 supported|31 21 51
numbers 0 unread|-12 -11 -17
numbers 0 unsaid|1 20 58
numbers 1 contradicted|-24 2 -10
numbers 1 doubted|-15 -2 -1
numbers 1 open|3 2 -20
numbers 1 supported|-7 2 -19
numbers 1 unread|-5 30 14
numbers 2 contradicted|-22 -18 -12
numbers 2 open|-22 -12 -39
numbers 2 supported|-9 -24 -25
open|3 15 -5
other row supported|-25 -14 10
other row value supported|-27 -22 -19
otherwise|28 -1 13
otherwise comparison|20 8 13
otherwise comparison supported|11 5 10
otherwise extreme|22 3 2
otherwise extreme supported|30 4 -7
otherwise movement|-6 -3 13
otherwise movement supported|-3 -3 7
otherwise supported|19 1 10
otherwise value|-1 -5 -11
otherwise value supported|-10 1 3
part of column contradicted|-3 5 13
part of column supported|-7 -8 -4
part of column unsaid|-11 -17 -5
part of row contradicted|24 -1 9
part of row supported|-12 6 5
plain contradicted|63 12 20
plain row supported|21 7 2
plain supported|-2 -8 13
plain value contradicted|57 10 18
plain value supported|-23 -15 11
pronoun contradicted|-19 16 -16
pronoun doubted|-5 -11 -28
pronoun open|5 23 7
pronoun supported|-30 20 -17
pronoun unread|13 0 6
pronoun unsaid|5 21 -6
reading 1 aggregate supported|10 1 15
reading 1 comparison supported|-17 -23 -43
reading 1 count supported|-20 -17 -19
reading 1 extreme supported|-18 -3 -2
reading 1 movement supported|-16 -7 -1
reading 1 row supported|21 6 2
reading 1 supported|-17 -9 -28
reading 1 value supported|-4 5 -9
reading 2 extreme supported|12 0 -8
reading 2 supported|28 1 16
reading 2 value supported|1 -5 7
reading 3 supported|4 -1 16
reading 3 value supported|-9 -7 4
reading 4 supported|-12 2 -21
reading 4 value supported|-3 12 -10
readings 1 comparison contradicted|-18 -10 -31
readings 1 contradicted|34 9 -15
readings 1 doubted|3 18 -12
readings 1 extreme contradicted|1 -7 -14
readings 1 movement contradicted|3 -10 -9
readings 1 movement doubted|-26 -19 -22
readings 1 value contradicted|-10 10 16
readings 1 value doubted|-1 16 -1
readings 2 contradicted|-49 -29 -23
readings 2 doubted|-8 -6 10
readings 2 value doubted|-6 13 25
readings 3 doubted|5 -19 2
readings 3 value doubted|-5 -18 1
readings 4 contradicted|-10 6 5
readings 4 doubted|14 12 2
readings 4 value doubted|14 19 -5
row far column own nothing unsaid|6 9 61
row far column own value doubted|16 -2 17
row far column own value supported|16 0 10
row far contradicted|20 12 15
row far doubted|13 21 19
row far supported|11 47 35
row far unsaid|-12 0 45
row near column far value supported|-12 -11 -14
row near column near nothing unsaid|2 23 -1
row near column near value doubted|8 -24 -22
row near column near value supported|18 2 1
row near column open value supported|41 16 16
row near column own extreme supported|-18 -13 -14
row near column own nothing unsaid|-3 16 -27
row near column own value contradicted|-15 -3 -1
row near column own value doubted|-9 18 3
row near column own value open|-13 0 -16
row near column own value supported|-14 -19 -18
row near contradicted|-18 -6 2
row near doubted|-1 -12 -22
row near open|-34 -15 -47
row near supported|8 -34 -32
row near unsaid|3 49 -41
row open column open nothing unsaid|-11 -11 2
row open column open value doubted|6 16 45
row open column own calculation supported|-12 -5 1
row open column own extreme open|-18 -10 33
row open column own movement supported|-4 -6 -6
row open column own nothing unsaid|14 9 62
row open column own value doubted|-7 -23 -5
row open column own value supported|7 -10 -18
row open column own value unread|2 26 18
row open contradicted|-8 5 17
row open doubted|-19 -3 17
row open open|12 -7 46
row open supported|1 -4 40
row open unread|1 16 27
row open unsaid|-5 -19 40
row own column far movement supported|0 -4 -6
row own column far value supported|-8 -9 -9
row own column near value supported|-15 -10 0
row own column open calculation supported|-33 -31 -48
row own column open extreme supported|-12 -11 -23
row own column open nothing unsaid|11 19 46
row own column open value supported|3 34 27
row own column own aggregate supported|15 3 0
row own column own comparison contradicted|22 10 -1
row own column own comparison supported|12 1 -15
row own column own comparison unread|-1 -3 -13
row own column own extreme contradicted|9 -9 -7
row own column own extreme supported|6 -2 -15
row own column own movement supported|-5 2 0
row own column own nothing unsaid|-9 -42 -68
row own column own row supported|21 6 2
row own column own value contradicted|3 0 -21
row own column own value doubted|-9 0 4
row own column own value open|-2 -16 -19
row own column own value supported|-23 -6 8
row own contradicted|20 -9 -40
row own doubted|15 -2 -14
row own open|24 20 -12
row own supported|-14 -19 -49
row own unread|-15 -27 -33
row own unsaid|1 -33 -38
row supported|14 1 -4
says about supported|7 -1 -5
says above supported|-19 -15 -14
says age supported|-4 -3 -10
says all supported|-24 -19 -10
says and contradicted|-12 -30 -25
says and doubted|-28 -29 -7
says and open|-14 -29 -30
says and supported|-14 -10 -19
says and unsaid|29 1 10
says are doubted|-8 -2 -24
says are supported|-22 -19 -10
says are unsaid|-9 -8 -30
says as contradicted|-5 1 -6
says as supported|6 11 4
says at contradicted|-9 -1 -8
says at doubted|13 23 15
says at supported|30 2 17
says at unsaid|8 0 -6
says bar supported|5 0 -1
says between supported|-12 -10 -7
says book supported|9 0 -3
says both supported|-1 -8 -7
says by contradicted|-5 -23 -17
says by doubted|-23 -8 3
says by supported|11 19 14
says by unsaid|-9 -22 -31
says chart supported|-5 1 17
says come supported|7 12 3
says country supported|-13 -11 -13
says day supported|-3 7 -6
says demand supported|-3 -5 -9
says dollar supported|-3 -4 -7
says each supported|10 -1 -4
says every supported|-21 -20 -25
says exactly supported|1 -8 -9
says for contradicted|-1 2 9
says for doubted|-3 22 13
says for supported|9 -1 -11
says for unsaid|26 27 21
says from supported|4 3 -7
says from unsaid|-18 -16 -13
says group supported|-17 -13 -13
says had contradicted|-3 -12 -11
says had supported|-6 17 -4
says half supported|14 10 2
says has contradicted|29 8 17
says has supported|-41 -30 -35
says have contradicted|-7 18 -3
says have supported|0 2 21
says height supported|26 11 9
says highest supported|-16 -5 6
says important supported|11 0 0
says in contradicted|1 -13 -32
says in doubted|16 -44 -53
says in open|-16 7 -43
says in supported|6 31 -8
says in unread|22 15 -2
says in unsaid|-13 11 -23
says is contradicted|14 8 36
says is doubted|18 15 34
says is open|0 15 23
says is supported|-1 -3 -13
says is unsaid|11 14 27
says it contradicted|33 36 19
says it doubted|-9 -21 -18
says it supported|-4 -5 -14
says it unsaid|6 8 -4
says its supported|-6 15 12
says just supported|-11 -10 -12
says km supported|21 10 16
says largest supported|-41 -28 -35
says least supported|7 2 8
says line supported|-10 1 -11
says loss supported|12 9 2
says make supported|15 20 4
says many supported|-5 -5 -5
says million contradicted|14 -1 -5
says million doubted|-13 -24 -27
says million supported|-33 -33 -36
says minute supported|5 -4 -3
says mm supported|-7 -6 -9
says more contradicted|-9 -9 -12
says more supported|-43 -21 -18
says most supported|-15 27 -16
says no supported|-16 -13 -15
says number supported|-28 -19 -25
says of contradicted|-13 -15 -4
says of doubted|-26 13 -29
says of open|-3 -7 -37
says of supported|-12 51 20
says of unread|-1 -37 -32
says of unsaid|-13 7 -40
says on contradicted|11 13 0
says on doubted|-7 3 -21
says on supported|-5 -2 -2
says one supported|-15 -6 9
says only supported|10 8 -4
says other supported|-14 -8 -2
says over supported|-4 -1 -8
says percentage supported|-5 -10 -12
says person supported|10 -2 -5
says point doubted|-7 -3 16
says point supported|-19 -11 -2
says price contradicted|9 14 6
says price doubted|10 31 20
says price supported|-16 -4 24
says quantity supported|5 0 -2
says rate supported|11 15 13
says row supported|-5 -4 7
says same supported|0 -6 -9
says saturday supported|11 3 2
says share contradicted|23 8 8
says share supported|-12 -17 -20
says sibling supported|-2 -3 -5
says smallest supported|-19 -15 -21
says solar supported|12 19 8
says student supported|-19 -22 -30
says supply supported|3 -2 -5
says table supported|-7 3 -3
says than contradicted|2 -15 -4
says than open|-17 9 -16
says than supported|8 3 -11
says than unread|-4 1 -10
says that contradicted|-8 -1 3
says that supported|-3 14 0
says that unsaid|-10 -22 -19
says the contradicted|-11 13 0
says the doubted|14 -11 -39
says the open|16 -26 -3
says the supported|-19 -39 -31
says the unread|-2 -3 -34
says the unsaid|16 5 6
says them supported|-9 9 -13
says there supported|-6 2 -13
says they supported|-10 -9 -11
says thousand supported|21 20 10
says thursday supported|-3 -4 -5
says time supported|-7 -8 -9
says to contradicted|2 -3 -5
says to doubted|-12 -21 15
says to open|12 0 23
says to supported|6 27 9
says to unsaid|-6 9 14
says together supported|-5 -8 -13
says total supported|-8 -5 1
says twice supported|-3 -6 -7
says unit supported|-7 4 -9
says up supported|-10 13 10
says very supported|-13 -12 -14
says was contradicted|2 13 -3
says was supported|27 12 4
says we unsaid|14 9 46
says wednesday supported|-19 -12 -14
says were supported|-7 8 2
says win supported|8 7 14
says with contradicted|22 0 0
says with supported|22 -11 -24
says with unsaid|-4 -4 22
says woman supported|13 3 1
says year contradicted|-29 -10 -27
says year doubted|-19 1 -22
says year supported|-10 -12 -31
strange 0 contradicted|60 -10 10
strange 0 doubted|17 -18 -7
strange 0 open|-8 13 6
strange 0 supported|-19 -46 -28
strange 0 unsaid|-15 -30 0
strange 1 contradicted|6 11 17
strange 1 doubted|6 9 0
strange 1 open|-11 -13 -7
strange 1 supported|-49 -39 0
strange 1 unread|-5 29 5
strange 1 unsaid|8 -7 20
strange 2 contradicted|21 7 -5
strange 2 doubted|3 21 16
strange 2 open|-10 21 -18
strange 2 supported|-10 -26 -35
strange 2 unread|1 29 17
strange 2 unsaid|13 7 0
strange 3 contradicted|-7 11 -14
strange 3 doubted|5 10 -15
strange 3 open|10 -12 16
strange 3 supported|35 9 18
strange 3 unread|7 -49 -15
strange 3 unsaid|-31 -8 -40
strange 4 contradicted|-59 -45 -42
strange 4 doubted|2 13 26
strange 4 supported|30 50 16
strange 4 unsaid|2 30 1
strange doubted|14 54 16
strange value doubted|-28 32 -5
supported|7 -10 -6
two names comparison contradicted|40 9 12
two names comparison supported|-8 -10 -4
two names contradicted|33 -1 1
two names doubted|-7 -15 0
two names movement supported|-20 -14 -16
two names supported|-16 -20 -12
two names value supported|-4 1 9
unbound doubted|10 14 18
unbound value doubted|5 14 8
unknown 0 contradicted|13 -53 -13
unknown 0 doubted|24 -6 -5
unknown 0 open|-5 -24 6
unknown 0 supported|-6 -74 -36
unknown 0 unsaid|5 -37 -16
unknown 1 contradicted|2 -2 -24
unknown 1 doubted|10 -12 -22
unknown 1 open|-22 11 -21
unknown 1 supported|-19 -24 -20
unknown 1 unread|20 48 32
unknown 1 unsaid|-22 3 -20
unknown 2 contradicted|-19 32 15
unknown 2 doubted|-2 10 16
unknown 2 supported|0 25 12
unknown 2 unread|-1 1 11
unknown 2 unsaid|-2 9 14
unknown 3 doubted|-17 17 15
unknown 3 supported|-9 -10 -12
unknown 3 unsaid|2 8 24
unknown 4 supported|40 72 51
unknown 4 unsaid|5 15 3
unread|-17 20 -3
unsaid|-13 -3 5
unsure doubted|1 -38 -22
unsure extreme doubted|-10 -1 -19
unsure movement doubted|1 -13 -17
unsure value doubted|12 -16 19
value contradicted|-10 23 18
value doubted|2 30 20
value open|-21 -4 -18
value supported|11 15 3
value unread|-8 24 -3
word all supported|-24 -19 -10
word both supported|-1 -8 -7
word each supported|10 -1 -4
word every supported|-21 -20 -25
word first supported|-14 -5 7
word half supported|14 10 2
word only supported|10 8 -4
word other supported|-14 -8 -2
word same supported|0 -6 -9
word second supported|31 28 26
word twice supported|-3 -6 -7
"""
