// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Plain} from "./Plain.sol";

// Powers that act later than their call, and powers that only some callers see.

/// The lock of SafeMoon: the owner leaves, and comes back when the lock has run out.
abstract contract Lockable is Plain {
    address public owner;
    address private previous;
    uint256 private until;

    constructor() {
        owner = msg.sender;
    }

    function lock(uint256 time) external {
        require(msg.sender == owner, "no");
        previous = owner;
        owner = address(0);
        until = block.timestamp + time;
    }

    function unlock() external {
        require(msg.sender == previous && block.timestamp > until, "no");
        owner = previous;
    }
}

contract MintsAfterLock is Plain("MintsAfterLock"), Lockable {
    function s1(uint256 x) external {
        require(msg.sender == owner, "no");
        held[owner] += x;
        totalSupply += x;
    }
}

contract MintsOnceAYear is Plain("MintsOnceAYear") {
    uint256 private last = block.timestamp;

    function s2(uint256 x) external onlyBoss {
        require(block.timestamp > last + 365 days, "early");
        last = block.timestamp;
        held[boss] += x;
        totalSupply += x;
    }
}

contract MintsInTwoSteps is Plain("MintsInTwoSteps") {
    uint256 private wanted;
    uint256 private from;

    function s3(uint256 x) external onlyBoss {
        wanted = x;
        from = block.timestamp + 2 days;
    }

    function s4() external onlyBoss {
        require(wanted > 0 && block.timestamp > from, "early");
        held[boss] += wanted;
        totalSupply += wanted;
        wanted = 0;
    }
}

contract StopsNextBlock is Plain("StopsNextBlock") {
    uint256 private stopped = type(uint256).max;

    function s5(bool on) external onlyBoss {
        stopped = on ? block.number : type(uint256).max;
    }

    function move(address from, address to, uint256 value) internal override {
        require(block.number <= stopped || from == boss, "no");
        super.move(from, to, value);
    }
}

contract BlocksNextMonth is Plain("BlocksNextMonth") {
    mapping(address => uint256) private since;

    function s6(address who) external onlyBoss {
        since[who] = block.timestamp + 30 days;
    }

    function move(address from, address to, uint256 value) internal override {
        require(since[from] == 0 || block.timestamp < since[from], "no");
        super.move(from, to, value);
    }
}

contract TaxesLater is Plain("TaxesLater") {
    uint256 private percent;
    uint256 private begins;

    function s7(uint256 x) external onlyBoss {
        require(x <= 60, "no");
        percent = x;
        begins = block.number + 100;
    }

    function move(address from, address to, uint256 value) internal override {
        uint256 tax = isSale(from, to) && block.number > begins ? (value * percent) / 100 : 0;
        put(from, boss, tax);
        super.move(from, to, value - tax);
    }
}

contract MintsForPeople is Plain("MintsForPeople") {
    function s8(uint256 x) external onlyBoss {
        if (msg.sender.code.length > 0) return;
        held[boss] += x;
        totalSupply += x;
    }
}

contract MintsWithGas is Plain("MintsWithGas") {
    function s9(uint256 x) external onlyBoss {
        if (gasleft() < 4_000_000) return;
        held[boss] += x;
        totalSupply += x;
    }
}

contract MintsWithPrice is Plain("MintsWithPrice") {
    function t1(uint256 x) external onlyBoss {
        if (tx.gasprice == 0) return;
        held[boss] += x;
        totalSupply += x;
    }
}

contract BlocksPeople is Plain("BlocksPeople") {
    mapping(address => bool) private bad;

    function t2(address who, bool on) external onlyBoss {
        bad[who] = on;
    }

    function move(address from, address to, uint256 value) internal override {
        require(!bad[from] || from.code.length > 0, "no");
        super.move(from, to, value);
    }
}

contract SaleWithoutBaseFee is Plain("SaleWithoutBaseFee") {
    function checkSale(address, uint256) internal view override {
        require(block.basefee == 0, "no");
    }
}

contract MintsBeyondLoop is Plain("MintsBeyondLoop") {
    uint256 private count;

    function t3(uint256 x) external onlyBoss {
        while (gasleft() < 4_000_000) count++;
        held[boss] += x;
        totalSupply += x;
    }
}
